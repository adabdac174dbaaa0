module frumious/interop/callers

go 1.26.8
