// How the file of a certificate or key is to be read: its bytes tell, its name may not.

import PostKitHTTP
import PostKitSupport

/// The form of a file, in libcurl's word.
enum CertificateForm: String, Sendable {
  case pem = "PEM"
  case der = "DER"
  case pkcs12 = "P12"

  /// Looks at the first bytes of a file.
  init(ofFile path: String) throws(Failure) {
    do throws(FileFailure) {
      self.init(head: try FileSystem.head(path: path, count: 16))
    } catch {
      throw Failure(
        .fileNotFound,
        "The client certificate can't be read: \(error) Correct its path, or send without one "
          + "with `# @no-client-cert`.")
    }
  }

  /// Reads the beginning of ASN.1: a sequence that begins with a number, or with a sequence where
  /// it is long. That of PKCS#12 begins with the version 3 (RFC 7292, section 4); what is no ASN.1
  /// is text.
  init(head: [UInt8]) {
    guard head.count > 8, head[0] == 0x30 else {
      self = .pem
      return
    }
    let isLong = head[1] >= 0x80
    let content = head.dropFirst(isLong ? 2 + Int(head[1] & 0x7F) : 2)
    if content.starts(with: [0x02, 0x01, 0x03]) {
      self = .pkcs12
    } else {
      self = content.first == 0x02 || isLong && content.first == 0x30 ? .der : .pem
    }
  }
}
