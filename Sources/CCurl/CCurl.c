// Opens libcurl at run time and calls it through one table (see CCurl.h).

#include "CCurl.h"
#include "CSystem.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>

// Every function that is called, once. The type of each entry is that of libcurl's own declaration.
#define POSTKIT_CURL_FUNCTIONS(FUNCTION) \
  FUNCTION(curl_global_init)             \
  FUNCTION(curl_version_info)            \
  FUNCTION(curl_easy_init)               \
  FUNCTION(curl_easy_cleanup)            \
  FUNCTION(curl_easy_reset)              \
  FUNCTION(curl_easy_setopt)             \
  FUNCTION(curl_easy_getinfo)            \
  FUNCTION(curl_easy_strerror)           \
  FUNCTION(curl_easy_pause)              \
  FUNCTION(curl_slist_append)            \
  FUNCTION(curl_slist_free_all)          \
  FUNCTION(curl_multi_init)              \
  FUNCTION(curl_multi_cleanup)           \
  FUNCTION(curl_multi_setopt)            \
  FUNCTION(curl_multi_add_handle)        \
  FUNCTION(curl_multi_remove_handle)     \
  FUNCTION(curl_multi_perform)           \
  FUNCTION(curl_multi_poll)              \
  FUNCTION(curl_multi_wakeup)            \
  FUNCTION(curl_multi_info_read)         \
  FUNCTION(curl_share_init)              \
  FUNCTION(curl_share_setopt)            \
  FUNCTION(curl_share_cleanup)

#define POSTKIT_CURL_ENTRY(name) __typeof__(name) *name;
typedef struct {
  POSTKIT_CURL_FUNCTIONS(POSTKIT_CURL_ENTRY)
} Table;
static Table table;

bool postkit_curl_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return false;
  Table filled;
#define POSTKIT_CURL_FILL(name)                                                          \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return false;
  POSTKIT_CURL_FUNCTIONS(POSTKIT_CURL_FILL)
  table = filled;
  return true;
}

void postkit_share_heap(void) {
#if defined(__GLIBC__)
  (void)mallopt(M_ARENA_MAX, 1);
  (void)mallopt(M_TOP_PAD, 1 << 20);
#endif
}

CURLcode postkit_curl_global_init(void) { return table.curl_global_init(CURL_GLOBAL_ALL); }

const curl_version_info_data *postkit_curl_version(void) {
  return table.curl_version_info(CURLVERSION_NOW);
}

const char *postkit_curl_error_text(CURLcode code) { return table.curl_easy_strerror(code); }

CURL *postkit_curl_easy_new(void) { return table.curl_easy_init(); }

void postkit_curl_easy_free(CURL *handle) { table.curl_easy_cleanup(handle); }

void postkit_curl_easy_reset(CURL *handle) { table.curl_easy_reset(handle); }

CURLcode postkit_curl_easy_resume(CURL *handle) {
  return table.curl_easy_pause(handle, CURLPAUSE_CONT);
}

CURLcode postkit_curl_set_number(CURL *handle, CURLoption option, long value) {
  return table.curl_easy_setopt(handle, option, value);
}

CURLcode postkit_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return table.curl_easy_setopt(handle, option, value);
}

CURLcode postkit_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return table.curl_easy_setopt(handle, option, value);
}

CURLcode postkit_curl_set_bytes(
    CURL *handle, CURLoption option, const void *bytes, size_t count) {
  // libcurl copies what it is given here, and writes nothing to it.
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return table.curl_easy_setopt(handle, option, &blob);
}

CURLcode postkit_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return table.curl_easy_setopt(handle, option, value);
}

void postkit_curl_set_callbacks(CURL *handle, const postkit_curl_callbacks *callbacks) {
  void *context = callbacks->context;
  table.curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
  table.curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callbacks->head);
  table.curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  table.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callbacks->body);
  table.curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  table.curl_easy_setopt(handle, CURLOPT_READFUNCTION, callbacks->supply);
  table.curl_easy_setopt(handle, CURLOPT_READDATA, context);
  table.curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callbacks->seek);
  table.curl_easy_setopt(handle, CURLOPT_SEEKDATA, context);
  table.curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callbacks->trace);
  table.curl_easy_setopt(handle, CURLOPT_DEBUGDATA, context);
  table.curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
  // Since 7.80.0; without it the peer is known when the request has been sent.
  table.curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callbacks->connected);
  table.curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

long postkit_curl_get_number(CURL *handle, CURLINFO info) {
  long value = 0;
  return table.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t postkit_curl_get_size(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  return table.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

const char *postkit_curl_get_text(CURL *handle, CURLINFO info) {
  const char *value = NULL;
  return table.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

void *postkit_curl_get_private(CURL *handle) {
  void *value = NULL;
  return table.curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

struct curl_slist *postkit_curl_get_cookies(CURL *handle) {
  struct curl_slist *list = NULL;
  return table.curl_easy_getinfo(handle, CURLINFO_COOKIELIST, &list) == CURLE_OK ? list : NULL;
}

struct curl_slist *postkit_curl_list_append(struct curl_slist *list, const char *text) {
  return table.curl_slist_append(list, text);
}

void postkit_curl_list_free(struct curl_slist *list) { table.curl_slist_free_all(list); }

CURLM *postkit_curl_multi_new(long connections) {
  CURLM *multi = table.curl_multi_init();
  if (multi != NULL) table.curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  return multi;
}

void postkit_curl_multi_free(CURLM *multi) { table.curl_multi_cleanup(multi); }

CURLMcode postkit_curl_multi_add(CURLM *multi, CURL *handle) {
  return table.curl_multi_add_handle(multi, handle);
}

CURLMcode postkit_curl_multi_remove(CURLM *multi, CURL *handle) {
  return table.curl_multi_remove_handle(multi, handle);
}

CURLMcode postkit_curl_multi_perform(CURLM *multi) {
  int running = 0;
  return table.curl_multi_perform(multi, &running);
}

CURLMcode postkit_curl_multi_poll(CURLM *multi, int milliseconds) {
  return table.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode postkit_curl_multi_wakeup(CURLM *multi) { return table.curl_multi_wakeup(multi); }

CURL *postkit_curl_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = table.curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

CURLSH *postkit_curl_share_new_cookies(void) {
  CURLSH *share = table.curl_share_init();
  if (share != NULL) table.curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
  return share;
}

void postkit_curl_share_free(CURLSH *share) { table.curl_share_cleanup(share); }
