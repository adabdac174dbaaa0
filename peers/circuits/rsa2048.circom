pragma circom 2.1.6;

// An RSA signature of 2,048 bits (PKCS 1 v1.5, SHA-256, exponent 65537) of a digest, by zk-email's library.
include "@zk-email/circuits/lib/rsa.circom";

component main {public [modulus, message]} = RSAVerifier65537(121, 17);
