// Opens libcrypto at run time and calls it through one table (see CCrypto.h).

#include "CCrypto.h"
#include "CSystem.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

// What is used of OpenSSL, in its own words. All types are opaque: their versions differ inside.
typedef struct key EVP_PKEY;
typedef struct key_context EVP_PKEY_CTX;
typedef struct digest_context EVP_MD_CTX;
typedef struct digest EVP_MD;
typedef struct engine ENGINE;

// Every function that is called, once: its result, name and parameters.
#define POSTKIT_CRYPTO_FUNCTIONS(FUNCTION)                                                      \
  FUNCTION(EVP_PKEY *, d2i_PUBKEY, (EVP_PKEY **, const unsigned char **, long))                 \
  FUNCTION(EVP_PKEY *, d2i_AutoPrivateKey, (EVP_PKEY **, const unsigned char **, long))         \
  FUNCTION(void, EVP_PKEY_free, (EVP_PKEY *))                                                   \
  FUNCTION(EVP_MD_CTX *, EVP_MD_CTX_new, (void))                                                \
  FUNCTION(void, EVP_MD_CTX_free, (EVP_MD_CTX *))                                               \
  FUNCTION(const EVP_MD *, EVP_get_digestbyname, (const char *))                                \
  FUNCTION(int, EVP_DigestVerifyInit,                                                           \
    (EVP_MD_CTX *, EVP_PKEY_CTX **, const EVP_MD *, ENGINE *, EVP_PKEY *))                      \
  FUNCTION(int, EVP_DigestVerify,                                                               \
    (EVP_MD_CTX *, const unsigned char *, size_t, const unsigned char *, size_t))               \
  FUNCTION(int, EVP_DigestSignInit,                                                             \
    (EVP_MD_CTX *, EVP_PKEY_CTX **, const EVP_MD *, ENGINE *, EVP_PKEY *))                      \
  FUNCTION(int, EVP_DigestSign,                                                                 \
    (EVP_MD_CTX *, unsigned char *, size_t *, const unsigned char *, size_t))                   \
  FUNCTION(int, EVP_PKEY_CTX_ctrl_str, (EVP_PKEY_CTX *, const char *, const char *))            \
  FUNCTION(const char *, OpenSSL_version, (int))                                                \
  FUNCTION(void, ERR_clear_error, (void))

#define POSTKIT_CRYPTO_ENTRY(result, name, parameters) result(*name) parameters;
typedef struct {
  POSTKIT_CRYPTO_FUNCTIONS(POSTKIT_CRYPTO_ENTRY)
  // These have other names in version 3, where the old ones are macros.
  int (*key_number)(const EVP_PKEY *);
  int (*key_bits)(const EVP_PKEY *);
} Table;
static Table table;

bool postkit_crypto_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return false;
  Table filled;
#define POSTKIT_CRYPTO_FILL(result, name, parameters)                                    \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return false;
  POSTKIT_CRYPTO_FUNCTIONS(POSTKIT_CRYPTO_FILL)
  postkit_library_find_optional(library, "EVP_PKEY_get_base_id", &filled.key_number);
  postkit_library_find_optional(library, "EVP_PKEY_get_bits", &filled.key_bits);
  if (filled.key_number == NULL) {
    postkit_library_find_optional(library, "EVP_PKEY_base_id", &filled.key_number);
  }
  if (filled.key_bits == NULL) {
    postkit_library_find_optional(library, "EVP_PKEY_bits", &filled.key_bits);
  }
  if (filled.key_number == NULL || filled.key_bits == NULL) {
    snprintf(message, capacity, "it can't tell kinds of keys");
    dlclose(library);
    return false;
  }
  table = filled;
  return true;
}

const char *postkit_crypto_version(void) { return table.OpenSSL_version(0); }

void *postkit_crypto_key(const uint8_t *bytes, size_t count, bool is_private) {
  if (count > LONG_MAX) return NULL;
  const unsigned char *place = bytes;
  EVP_PKEY *key = is_private ? table.d2i_AutoPrivateKey(NULL, &place, (long)count)
                             : table.d2i_PUBKEY(NULL, &place, (long)count);
  // libcurl's TLS reads the same queue of errors.
  table.ERR_clear_error();
  if (key != NULL && place != bytes + count) {
    table.EVP_PKEY_free(key);
    return NULL;
  }
  return key;
}

void postkit_crypto_key_free(void *key) { table.EVP_PKEY_free(key); }

postkit_crypto_kind postkit_crypto_key_kind(void *key) {
  // The numbers of `NID_rsaEncryption`, `NID_X9_62_id_ecPublicKey`, `NID_ED25519`, `NID_ED448`.
  switch (table.key_number(key)) {
    case 6: return POSTKIT_CRYPTO_RSA;
    case 408: return POSTKIT_CRYPTO_ELLIPTIC;
    case 1087:
    case 1088: return POSTKIT_CRYPTO_EDWARDS;
    default: return POSTKIT_CRYPTO_OTHER;
  }
}

int postkit_crypto_key_bits(void *key) { return table.key_bits(key); }

/// Begins a signature or its check; null where the key can't be used so.
static EVP_MD_CTX *begin(void *key, postkit_crypto_scheme scheme, bool signs) {
  const EVP_MD *digest = NULL;
  if (scheme.digest != NULL) {
    digest = table.EVP_get_digestbyname(scheme.digest);
    if (digest == NULL) return NULL;
  }
  EVP_MD_CTX *context = table.EVP_MD_CTX_new();
  if (context == NULL) return NULL;
  // It belongs to the other context.
  EVP_PKEY_CTX *options = NULL;
  bool is_ready = (signs ? table.EVP_DigestSignInit : table.EVP_DigestVerifyInit)(
                      context, &options, digest, NULL, key) == 1;
  if (is_ready && scheme.is_pss) {
    is_ready = table.EVP_PKEY_CTX_ctrl_str(options, "rsa_padding_mode", "pss") > 0
               && table.EVP_PKEY_CTX_ctrl_str(options, "rsa_pss_saltlen", "digest") > 0;
  }
  if (is_ready) return context;
  table.EVP_MD_CTX_free(context);
  return NULL;
}

int postkit_crypto_verify(
    void *key, postkit_crypto_scheme scheme, const uint8_t *bytes, size_t count,
    const uint8_t *signature, size_t signature_count) {
  int result = -1;
  EVP_MD_CTX *context = begin(key, scheme, false);
  if (context != NULL) {
    // Negative where the signature has no form that can be read: that is no less wrong.
    result = table.EVP_DigestVerify(context, signature, signature_count, bytes, count) == 1;
    table.EVP_MD_CTX_free(context);
  }
  table.ERR_clear_error();
  return result;
}

long postkit_crypto_sign(
    void *key, postkit_crypto_scheme scheme, const uint8_t *bytes, size_t count, uint8_t *output,
    size_t capacity) {
  long result = -1;
  EVP_MD_CTX *context = begin(key, scheme, true);
  if (context != NULL) {
    size_t written = capacity;
    if (table.EVP_DigestSign(context, output, &written, bytes, count) == 1) result = (long)written;
    table.EVP_MD_CTX_free(context);
  }
  table.ERR_clear_error();
  return result;
}
