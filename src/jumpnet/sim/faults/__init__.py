"""Links and routers that fail during a run: `plan` says which, and what is done; `engine` stops there and does it, by
`affected` (whom it concerns) and `purge` (surgery on the arrays); `simulate` is what people call."""
