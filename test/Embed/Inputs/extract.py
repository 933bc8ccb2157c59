# extract.py DOCUMENT FOLDER: writes the document's ten-minute project, its first cmake and C++ blocks.
import os
import re
import sys

document, folder = sys.argv[1:]
text = open(document, encoding="utf-8").read()
os.makedirs(folder, exist_ok=True)
for language, name in (("cmake", "CMakeLists.txt"), (r"c\+\+", "my-opt.cpp")):
    block = re.search(rf"^```{language}\n(.*?)^```", text, re.S | re.M)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(block.group(1))
