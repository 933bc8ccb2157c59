# links.py ROOT: fails on a relative link of a Markdown file to something that is not there.
import glob
import os
import re
import sys

root = sys.argv[1]
broken = []
for path in glob.glob(os.path.join(root, "*.md")) + glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True):
    text = open(path, encoding="utf-8").read()
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
        if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
            broken.append(f"{path}: {target}")
sys.exit("\n".join(broken) or 0)
