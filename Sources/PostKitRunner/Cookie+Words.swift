// What is said of a cookie beside its name, in words for people.

package import PostKitHTTP

extension Cookie {
  /// How long it is kept, and who may see it.
  package var remarks: [String] {
    let end = expires.map { "until \(Moment.local($0 * 1_000))" } ?? "until it is deleted"
    return [end] + (isSecure ? ["secure"] : []) + (isHTTPOnly ? ["http only"] : [])
  }
}
