# quoted.py TEST DOCUMENT: fails unless the document holds the test's program (from its first
# function's comment on) word by word.
import sys

test, document = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
program = test[test.index("func.func"):].strip()
if program not in document:
    sys.exit(f"{sys.argv[2]} does not hold the program of {sys.argv[1]}")
