"""Proofs on many machines, by Ray: `python -m frumious.fleet`, of the extra `frumious[ray]`.

| module | holds |
|---|---|
| `cluster` | Ray's processes of this machine: begun, ended |
| `supervise`, `driver` | the process that a user starts, and its child, which is begun again when it dies |
| `journal` | the durable truth about jobs: SQLite |
| `jobs` | jobs as a file has them |
| `attendance` | the driver of a prover server, which has the journal itself |
| `crew`, `attend`, `greet` | a thread for each node, which gives it batches and judges what it returns |
| `schedule` | jobs that wait, in batches of one circuit |
| `node`, `store` | the actor that owns a node's cores, and its files, by content hash |
| `seal`, `care` | witnesses sealed under a key of the operator's; what is refused |
| `shards`, `packs` | one proof over several nodes, which have ranges of its key |
| `plan`, `simulate` | time and money of a fleet, and a simulation to check them |
| `engine` | the only door to Ray |
"""
