// From settings to what every request of a run begins with.

package import PostKitEvaluate
import PostKitHTTP
import PostKitSupport

extension Settings {
  /// The defaults that these settings ask for.
  package var requestDefaults: RequestDefaults {
    var options = TransferOptions()
    options.totalTimeoutMilliseconds = self[.timeout].flatMap { $0 > 0 ? $0 : nil }
    options.proxy = self[.proxy].flatMap { $0.isEmpty ? nil : $0 }
    options.certificateAuthorityFile = self[.tlsCaFile].flatMap { $0.isEmpty ? nil : $0 }
    return RequestDefaults(
      userAgent: Version.userAgent, options: options, certificates: certificates)
  }
}
