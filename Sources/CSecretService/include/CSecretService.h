// The desktop's keyring through libsecret, which is opened at run time. No header of libsecret or
// GLib is needed: what is used of them is declared in CSecretService.c.

#ifndef POSTKIT_CSECRETSERVICE_H
#define POSTKIT_CSECRETSERVICE_H

#include <stdbool.h>
#include <stddef.h>

/// Opens libsecret under a name and looks its functions up. `message` receives why it can't be.
bool postkit_secret_open(const char *_Nonnull name, char *_Nonnull message, size_t capacity);

/// How a call ended.
typedef enum postkit_secret_status {
  POSTKIT_SECRET_DONE,
  /// There is no such secret, or no keyring to put new ones into.
  POSTKIT_SECRET_NONE,
  /// The keyring is locked, and nobody unlocked it.
  POSTKIT_SECRET_LOCKED,
  /// The call was cancelled before it had an answer.
  POSTKIT_SECRET_CANCELLED,
  /// The bus or the service gave no answer within the time that GLib waits itself.
  POSTKIT_SECRET_TIMED_OUT,
  /// `text` says why.
  POSTKIT_SECRET_FAILED,
} postkit_secret_status;

/// What came out of a call; freed with `postkit_secret_free`, which wipes the text.
typedef struct postkit_secret_result {
  postkit_secret_status status;
  char *_Nullable text;
} postkit_secret_result;

/// What a secret is found by.
typedef struct postkit_secret_key {
  const char *_Nonnull store;
  const char *_Nonnull variable;
} postkit_secret_key;

/// Makes something by which another thread can end a call; given back with `postkit_secret_drop`.
void *_Nullable postkit_secret_cancellable(void);

/// Ends the call that uses it, or will; any thread may do so.
void postkit_secret_cancel(void *_Nonnull cancellable);

/// Gives back what `postkit_secret_cancellable` made.
void postkit_secret_drop(void *_Nonnull cancellable);

/// Whether there is a keyring for new secrets; asks nobody anything. It may be locked.
postkit_secret_result postkit_secret_probe(void *_Nonnull cancellable);

/// Keeps a secret in the place of an earlier one; a locked keyring asks its user first.
postkit_secret_result postkit_secret_store(
    void *_Nonnull cancellable, postkit_secret_key key, const char *_Nonnull label,
    const char *_Nonnull value);

/// Looks a secret up; a locked keyring asks its user first.
postkit_secret_result postkit_secret_look_up(void *_Nonnull cancellable, postkit_secret_key key);

/// Deletes a secret; a locked keyring asks its user first.
postkit_secret_result postkit_secret_clear(void *_Nonnull cancellable, postkit_secret_key key);

/// Frees what a result holds.
void postkit_secret_free(postkit_secret_result *_Nonnull result);

#endif
