"""Writes a trace as Parquet with the columns that `parquet` reads, block by block. Needs pyarrow.

Called by `cli/workload`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from jumpnet.files import replaced
from jumpnet.machine.records import Trace
from jumpnet.machine.trace.parquet import library

__all__ = ["write_parquet"]


def write_parquet(trace: Trace, path: str | Path) -> int:
    """Write a trace of known processors; returns its records. Raises JumpnetError when the file cannot be written.

    Memory is that of one block. The file is compressed: a record takes some 2 to 6 bytes.
    """
    arrow, parquet = library()
    types = {"seq": "uint32", "proc": "uint16", "address": "uint64", "size": "uint32", "is_write": "bool"}
    about = {"program": trace.name, "processors": trace.processors, "seq_first_create": 0}
    schema = arrow.schema([(name, types.get(name, "uint8")) for name in (*types, "kind")])
    schema = schema.with_metadata({"memcap": json.dumps(about)})
    records = 0
    with replaced(path) as place, parquet.ParquetWriter(place, schema, compression="zstd") as file:
        for block in trace.blocks():
            seq = np.arange(records, records + len(block.proc))
            columns = [np.asarray(c) for c in (seq, *block)]
            arrays = [
                arrow.array(c).cast(field.type) if c.dtype != np.bool_ else arrow.array(c)
                for c, field in zip(columns, schema, strict=True)
            ]
            file.write_batch(arrow.record_batch(arrays, schema=schema))
            records += len(block.proc)
    return records
