// Libcurl for Swift: its declarations, and typed calls through a table that is filled at run time,
// because linking libcurl would cost every start of the program 3.6 ms and 6 MB.

#ifndef POSTKIT_CCURL_H
#define POSTKIT_CCURL_H

// The checking macros of libcurl would refuse the wrappers, whose types the compiler checks.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// Opens the library of that file name and fills the table; on failure the reason is in `message`
/// and the table is as before.
/// No other function of this header may be called before it has succeeded, and it must not be
/// called again after that.
bool postkit_curl_open(const char *_Nonnull name, char *_Nonnull message, size_t capacity);

/// Lets all threads use one heap that grows in large steps: libcurl's libraries allocate much at
/// their start, and a heap of another thread would grow page by page. For programs that send little
/// and end; to be called before there are threads.
void postkit_share_heap(void);

/// `curl_global_init` with everything.
CURLcode postkit_curl_global_init(void);
/// What the library is and can do.
const curl_version_info_data *_Nonnull postkit_curl_version(void);
/// libcurl's words for a code.
const char *_Nonnull postkit_curl_error_text(CURLcode code);

// Easy handles

/// A new easy handle.
CURL *_Nullable postkit_curl_easy_new(void);
/// Frees an easy handle.
void postkit_curl_easy_free(CURL *_Nonnull handle);
/// Sets all options back; connections, names, sessions and cookies stay.
void postkit_curl_easy_reset(CURL *_Nonnull handle);
/// Goes on with a transfer whose body nobody wanted to take for a while.
CURLcode postkit_curl_easy_resume(CURL *_Nonnull handle);
/// Sets an option of type `long`.
CURLcode postkit_curl_set_number(CURL *_Nonnull handle, CURLoption option, long value);
/// Sets an option of type `curl_off_t`.
CURLcode postkit_curl_set_size(CURL *_Nonnull handle, CURLoption option, curl_off_t value);
/// Sets an option that takes a string, which libcurl copies.
CURLcode postkit_curl_set_text(
    CURL *_Nonnull handle, CURLoption option, const char *_Nullable value);
/// Sets an option that takes bytes, which libcurl copies.
CURLcode postkit_curl_set_bytes(
    CURL *_Nonnull handle, CURLoption option, const void *_Nullable bytes, size_t count);
/// Sets an option that takes a pointer.
CURLcode postkit_curl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value);

/// Receives bytes of a head or of a body; answers how many were taken.
typedef size_t (*postkit_curl_receive)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);
/// Supplies bytes of a request's body.
typedef size_t (*postkit_curl_supply)(
    char *_Nonnull buffer, size_t size, size_t count, void *_Nonnull context);
/// Moves to another place of a request's body.
typedef int (*postkit_curl_seek)(void *_Nonnull context, curl_off_t offset, int origin);
/// Sees what goes over the wire.
typedef int (*postkit_curl_trace)(
    CURL *_Nonnull handle, curl_infotype kind, char *_Nonnull bytes, size_t count,
    void *_Nonnull context);
/// Is told the peer once a connection stands.
typedef int (*postkit_curl_connected)(
    void *_Nonnull context, char *_Nullable remoteAddress, char *_Nullable localAddress,
    int remotePort, int localPort);

/// The functions that a transfer calls, and what each of them is given.
typedef struct postkit_curl_callbacks {
  void *_Nonnull context;
  postkit_curl_receive _Nonnull head;
  postkit_curl_receive _Nonnull body;
  postkit_curl_supply _Nonnull supply;
  postkit_curl_seek _Nonnull seek;
  postkit_curl_trace _Nonnull trace;
  postkit_curl_connected _Nonnull connected;
} postkit_curl_callbacks;

/// Sets all callbacks and turns on the trace.
void postkit_curl_set_callbacks(
    CURL *_Nonnull handle, const postkit_curl_callbacks *_Nonnull callbacks);

/// A fact of type `long`; 0 where it is unknown.
long postkit_curl_get_number(CURL *_Nonnull handle, CURLINFO info);
/// A fact of type `curl_off_t`; 0 where it is unknown.
curl_off_t postkit_curl_get_size(CURL *_Nonnull handle, CURLINFO info);
/// A fact that is a string; it lives as long as the handle isn't used again.
const char *_Nullable postkit_curl_get_text(CURL *_Nonnull handle, CURLINFO info);
/// The pointer that was stored as `CURLOPT_PRIVATE`.
void *_Nullable postkit_curl_get_private(CURL *_Nonnull handle);
/// All cookies in the Netscape form; the caller frees the list.
struct curl_slist *_Nullable postkit_curl_get_cookies(CURL *_Nonnull handle);

/// Adds a copy of a string to a list; null where there is no memory, the list then stays.
struct curl_slist *_Nullable postkit_curl_list_append(
    struct curl_slist *_Nullable list, const char *_Nonnull text);
/// Frees a list.
void postkit_curl_list_free(struct curl_slist *_Nullable list);

// Multi handles

/// A new multi handle that keeps at most `connections` connections.
CURLM *_Nullable postkit_curl_multi_new(long connections);
/// Frees a multi handle, which holds no easy handle any more.
void postkit_curl_multi_free(CURLM *_Nonnull multi);
CURLMcode postkit_curl_multi_add(CURLM *_Nonnull multi, CURL *_Nonnull handle);
CURLMcode postkit_curl_multi_remove(CURLM *_Nonnull multi, CURL *_Nonnull handle);
/// Does what can be done without waiting.
CURLMcode postkit_curl_multi_perform(CURLM *_Nonnull multi);
/// Waits until there is something to do, a wake-up or the time limit.
CURLMcode postkit_curl_multi_poll(CURLM *_Nonnull multi, int milliseconds);
/// Ends a wait; the one function that another thread may call.
CURLMcode postkit_curl_multi_wakeup(CURLM *_Nonnull multi);
/// The next handle that is done and its result; null where there is none.
CURL *_Nullable postkit_curl_multi_next_done(CURLM *_Nonnull multi, CURLcode *_Nonnull result);

// Shares

/// A share that holds cookies. It has no lock: it is for the handles of one thread.
CURLSH *_Nullable postkit_curl_share_new_cookies(void);
/// Frees a share that no handle uses any more.
void postkit_curl_share_free(CURLSH *_Nonnull share);

#endif
