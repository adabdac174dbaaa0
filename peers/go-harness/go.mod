module frumious/harness

go 1.26.8
