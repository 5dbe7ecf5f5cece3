// Opens libsecret at run time and calls it through one table (see CSecretService.h).

#include "CSecretService.h"
#include "CSystem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The few types of GLib and libsecret that are used; their layouts are part of the stable
// interfaces of GLib 2 and libsecret 1.

typedef struct {
  uint32_t domain;
  int code;
  char *message;
} Error;

typedef struct List {
  void *data;
  struct List *next;
  struct List *previous;
} List;

typedef struct {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *more[7];
} Schema;

enum {
  string_attribute = 0,
  no_flags = 0,
  schema_dont_match_name = 2,
  io_error_cancelled = 19,
  io_error_timed_out = 24,
  secret_error_is_locked = 2,
};

typedef struct {
  void *(*g_cancellable_new)(void);
  void (*g_cancellable_cancel)(void *);
  uint32_t (*g_io_error_quark)(void);
  void (*g_object_unref)(void *);
  void (*g_error_free)(Error *);
  void (*g_list_free_full)(List *, void (*)(void *));
  uint32_t (*secret_error_get_quark)(void);
  void *(*secret_service_get_sync)(int, void *, Error **);
  void *(*secret_collection_for_alias_sync)(void *, const char *, int, void *, Error **);
  int (*secret_collection_get_locked)(void *);
  int (*secret_password_store_sync)(
      const Schema *, const char *, const char *, const char *, void *, Error **, ...);
  char *(*secret_password_lookup_sync)(const Schema *, void *, Error **, ...);
  int (*secret_password_clear_sync)(const Schema *, void *, Error **, ...);
  List *(*secret_password_search_sync)(const Schema *, int, void *, Error **, ...);
  void (*secret_password_free)(char *);
} Table;
static Table table;

#define POSTKIT_SECRET_FUNCTIONS(FUNCTION)   \
  FUNCTION(g_cancellable_new)                \
  FUNCTION(g_cancellable_cancel)             \
  FUNCTION(g_io_error_quark)                 \
  FUNCTION(g_object_unref)                   \
  FUNCTION(g_error_free)                     \
  FUNCTION(g_list_free_full)                 \
  FUNCTION(secret_error_get_quark)           \
  FUNCTION(secret_service_get_sync)          \
  FUNCTION(secret_collection_for_alias_sync) \
  FUNCTION(secret_collection_get_locked)     \
  FUNCTION(secret_password_store_sync)       \
  FUNCTION(secret_password_lookup_sync)      \
  FUNCTION(secret_password_clear_sync)       \
  FUNCTION(secret_password_search_sync)      \
  FUNCTION(secret_password_free)

static const Schema schema = {
    .name = "postkit.Variable",
    // A locked keyring of GNOME finds nothing by the name of a schema.
    .flags = schema_dont_match_name,
    .attributes =
        {
            {"application", string_attribute},
            {"store", string_attribute},
            {"variable", string_attribute},
        },
};

// The attributes of a secret as the functions of libsecret take them, ended by a null name.
#define POSTKIT_SECRET_ATTRIBUTES(key)                                             \
  "application", "postkit", "store", (key).store, "variable", (key).variable, (char *)NULL

bool postkit_secret_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return false;
  Table filled;
// Those of GLib are found in what libsecret needs.
#define POSTKIT_SECRET_FILL(name)                                                        \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return false;
  POSTKIT_SECRET_FUNCTIONS(POSTKIT_SECRET_FILL)
  table = filled;
  return true;
}

void *postkit_secret_cancellable(void) { return table.g_cancellable_new(); }

void postkit_secret_cancel(void *cancellable) { table.g_cancellable_cancel(cancellable); }

void postkit_secret_drop(void *cancellable) { table.g_object_unref(cancellable); }

void postkit_secret_free(postkit_secret_result *result) {
  if (result->text == NULL) return;
  // Through a volatile pointer, or the compiler would leave it out: nobody reads the text again.
  for (volatile char *at = result->text; *at != 0; at += 1) *at = 0;
  free(result->text);
  result->text = NULL;
}

// Results

static postkit_secret_result ended(postkit_secret_status status) {
  return (postkit_secret_result){.status = status};
}

static postkit_secret_result with_text(postkit_secret_status status, const char *text) {
  char *copy = strdup(text);
  return (postkit_secret_result){
      .status = copy != NULL ? status : POSTKIT_SECRET_FAILED, .text = copy};
}

// What an error says; it is freed.
static postkit_secret_result failed(Error *error) {
  postkit_secret_result result;
  bool is_io = error->domain == table.g_io_error_quark();
  if (is_io && error->code == io_error_cancelled) {
    result = ended(POSTKIT_SECRET_CANCELLED);
  } else if (is_io && error->code == io_error_timed_out) {
    result = ended(POSTKIT_SECRET_TIMED_OUT);
  } else if (
      error->domain == table.secret_error_get_quark() && error->code == secret_error_is_locked) {
    result = ended(POSTKIT_SECRET_LOCKED);
  } else {
    result = with_text(
        POSTKIT_SECRET_FAILED, error->message != NULL ? error->message : "no reason is given");
  }
  table.g_error_free(error);
  return result;
}

// Whether there is a secret that only a locked keyring keeps from being read: libsecret answers
// like for none when its user did not unlock it.
static postkit_secret_result none_or_locked(void *cancellable, postkit_secret_key key) {
  Error *error = NULL;
  List *found = table.secret_password_search_sync(
      &schema, no_flags, cancellable, &error, POSTKIT_SECRET_ATTRIBUTES(key));
  if (error != NULL) return failed(error);
  if (found == NULL) return ended(POSTKIT_SECRET_NONE);
  table.g_list_free_full(found, table.g_object_unref);
  return ended(POSTKIT_SECRET_LOCKED);
}

// Calls

postkit_secret_result postkit_secret_probe(void *cancellable) {
  Error *error = NULL;
  void *service = table.secret_service_get_sync(no_flags, cancellable, &error);
  if (error != NULL) return failed(error);
  void *keyring = table.secret_collection_for_alias_sync(
      service, "default", no_flags, cancellable, &error);
  table.g_object_unref(service);
  if (error != NULL) return failed(error);
  if (keyring == NULL) return ended(POSTKIT_SECRET_NONE);
  bool is_locked = table.secret_collection_get_locked(keyring) != 0;
  table.g_object_unref(keyring);
  return ended(is_locked ? POSTKIT_SECRET_LOCKED : POSTKIT_SECRET_DONE);
}

postkit_secret_result postkit_secret_store(
    void *cancellable, postkit_secret_key key, const char *label, const char *value) {
  Error *error = NULL;
  int is_stored = table.secret_password_store_sync(
      &schema, "default", label, value, cancellable, &error, POSTKIT_SECRET_ATTRIBUTES(key));
  if (error != NULL) return failed(error);
  return ended(is_stored ? POSTKIT_SECRET_DONE : POSTKIT_SECRET_LOCKED);
}

postkit_secret_result postkit_secret_look_up(void *cancellable, postkit_secret_key key) {
  Error *error = NULL;
  char *value = table.secret_password_lookup_sync(
      &schema, cancellable, &error, POSTKIT_SECRET_ATTRIBUTES(key));
  if (error != NULL) return failed(error);
  if (value == NULL) return none_or_locked(cancellable, key);
  postkit_secret_result result = with_text(POSTKIT_SECRET_DONE, value);
  table.secret_password_free(value);
  return result;
}

postkit_secret_result postkit_secret_clear(void *cancellable, postkit_secret_key key) {
  Error *error = NULL;
  int is_cleared = table.secret_password_clear_sync(
      &schema, cancellable, &error, POSTKIT_SECRET_ATTRIBUTES(key));
  if (error != NULL) return failed(error);
  return is_cleared ? ended(POSTKIT_SECRET_DONE) : none_or_locked(cancellable, key);
}
