"""Loads files of BSON as one does by hand in Python: decode, gather, insert_many. Each line of stdin asks for one load."""

import json
import sys
import time

from bson import decode_file_iter
from pymongo import MongoClient


def load(collection, file, batch_size):
    batch = []
    with open(file, "rb") as content:
        for document in decode_file_iter(content):
            batch.append(document)
            if len(batch) == batch_size:
                collection.insert_many(batch, ordered=False)
                batch = []
    if batch:
        collection.insert_many(batch, ordered=False)


client = MongoClient(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    collection = client[asked["database"]][asked["collection"]]
    wall, cpu = time.perf_counter(), time.process_time()
    load(collection, asked["file"], asked["batch"])
    cost = {"ms": (time.perf_counter() - wall) * 1000, "cpuMs": (time.process_time() - cpu) * 1000}
    print(json.dumps(cost), flush=True)
