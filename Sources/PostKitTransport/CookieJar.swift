// Cookies that are kept for a run, by libcurl's own rules (PK-83).

import CCurl
import Synchronization

/// A jar of cookies, empty at first; the cookies live as long as it does. libcurl's handle for it
/// is made and used by the loop's thread alone, so that this is but a name.
package final class CookieJar: Sendable {
  /// The name of the jar within its transport.
  let id: Int
  private let mailbox: Mailbox

  init(id: Int, mailbox: Mailbox) {
    self.id = id
    self.mailbox = mailbox
  }

  deinit {
    // After the end of the loop the cookies are gone already.
    _ = mailbox.post(.forget(jar: id))
  }
}

/// libcurl's shares by jar. It belongs to the loop's thread.
struct CookieShares {
  private var shares: [Int: UnsafeMutableRawPointer] = [:]

  /// The share of a jar, made on first use; `nil` where libcurl has no memory for one.
  mutating func share(_ jar: Int) -> UnsafeMutableRawPointer? {
    if let share = shares[jar] { return share }
    let share = postkit_curl_share_new_cookies()
    shares[jar] = share
    return share
  }

  /// Frees the cookies of a jar that no transfer uses.
  mutating func remove(_ jar: Int) {
    if let share = shares.removeValue(forKey: jar) { postkit_curl_share_free(share) }
  }

  /// Frees all.
  mutating func removeAll() {
    for share in shares.values { postkit_curl_share_free(share) }
    shares.removeAll()
  }
}
