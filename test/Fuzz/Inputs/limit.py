# limit.py SECONDS COMMAND...: fails if the command uses more CPU time.
import resource
import sys
import subprocess

seconds = int(sys.argv[1])
status = subprocess.call(sys.argv[2:], preexec_fn=lambda: resource.setrlimit(
    resource.RLIMIT_CPU, (seconds, seconds)))
sys.exit(f"status {status}" if status else 0)
