// Signatures by libcrypto (OpenSSL), which is opened at run time. No header of OpenSSL is needed:
// what is used of it is declared in CCrypto.c.

#ifndef POSTKIT_CCRYPTO_H
#define POSTKIT_CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens libcrypto under a name and looks its functions up. `message` receives why it can't be.
bool postkit_crypto_open(const char *_Nonnull name, char *_Nonnull message, size_t capacity);

/// The library's name and version, such as `OpenSSL 3.0.15 3 Sep 2024`.
const char *_Nonnull postkit_crypto_version(void);

/// What a key is.
typedef enum postkit_crypto_kind {
  POSTKIT_CRYPTO_RSA,
  /// On an elliptic curve.
  POSTKIT_CRYPTO_ELLIPTIC,
  /// Ed25519 or Ed448.
  POSTKIT_CRYPTO_EDWARDS,
  POSTKIT_CRYPTO_OTHER,
} postkit_crypto_kind;

/// How bytes are signed.
typedef struct postkit_crypto_scheme {
  /// The name of the hash, such as `sha256`; null where the algorithm has its own.
  const char *_Nullable digest;
  /// Whether RSA pads with PSS, its salt as long as the hash.
  bool is_pss;
} postkit_crypto_scheme;

/// Reads a public key (SubjectPublicKeyInfo) or a private one (PKCS#8, PKCS#1 or SEC1), whole bytes
/// of DER; null for what is none. Given back with `postkit_crypto_key_free`.
void *_Nullable postkit_crypto_key(const uint8_t *_Nonnull bytes, size_t count, bool is_private);
/// Frees a key.
void postkit_crypto_key_free(void *_Nonnull key);
/// What a key is.
postkit_crypto_kind postkit_crypto_key_kind(void *_Nonnull key);
/// The bits of its modulus or of its curve.
int postkit_crypto_key_bits(void *_Nonnull key);

/// Whether bytes have a signature: 1 for yes, 0 for no, -1 where the key can't be used so.
int postkit_crypto_verify(
    void *_Nonnull key, postkit_crypto_scheme scheme, const uint8_t *_Nonnull bytes, size_t count,
    const uint8_t *_Nonnull signature, size_t signature_count);

/// Signs bytes into `output`, which has room for `capacity` bytes; answers the length of the
/// signature, or -1 where the key can't be used so.
long postkit_crypto_sign(
    void *_Nonnull key, postkit_crypto_scheme scheme, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull output, size_t capacity);

#endif
