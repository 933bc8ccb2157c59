"""paper.py LAYER.mlir: runs the paper's layer and compares with numpy in float64.

Rank sizes come from the file; softmax and LayerNorm are written as textbooks do.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

path = pathlib.Path(sys.argv[1])
text = path.read_text()
size = {name: int(n) for name, n in re.findall(r'#cascade\.rank<"(\w)", (\d+)>', text)}
ranks = dict(INPQ="BDP", INPK="BDMN", INPV="BDMN", WQ="DHE", WK="DHE", WV="DHF", INP="BHFP",
             WF="HFS", BF="S", WFT="SHF", BFT="HF")
rng = np.random.default_rng(1)
t = {name: rng.standard_normal([size[r] for r in letters]).astype(np.float32) / (
    4 if name.startswith("W") else 1) for name, letters in ranks.items()}
with tempfile.TemporaryDirectory() as folder:
    options = []
    for i, (name, value) in enumerate(t.items()):
        np.save(f"{folder}/{i}.npy", value)
        options.append(f"--input=arg{i}:{folder}/{i}.npy")
    subprocess.run(["ff-run", str(path), *options, f"--output=res0:{folder}/out.npy"], check=True,
                   stdout=subprocess.DEVNULL)
    out = np.load(f"{folder}/out.npy")

t = {name: value.astype(np.float64) for name, value in t.items()}
q = np.einsum("bdp,dhe->bhep", t["INPQ"], t["WQ"])
k = np.einsum("bdmn,dhe->bhemn", t["INPK"], t["WK"])
v = np.einsum("bdmn,dhf->bhfmn", t["INPV"], t["WV"])
scores = np.einsum("bhep,bhemn->bhpmn", q, k).reshape(*q.shape[:2], size["P"], -1)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
av = np.einsum("bhpm,bhfm->bhfp", weights, v.reshape(*v.shape[:3], -1)) + t["INP"]
av -= av.mean((1, 2), keepdims=True)
nr = av / np.sqrt((av * av).mean((1, 2), keepdims=True))
hidden = np.einsum("bhfp,hfs->bsp", nr, t["WF"]) + t["BF"][:, None]
hidden = hidden / (1 + np.exp(-hidden))  # SiLU: Llama3
ref = np.einsum("bsp,shf->bhfp", hidden, t["WFT"]) + t["BFT"][:, :, None]
error = np.abs(out - ref).max() / np.abs(ref).max()
print(f"{'same' if error < 1e-5 else 'DIFFERENT'} {error:.2g}")
