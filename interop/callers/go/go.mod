module frumious/interop/callers

go 1.19
