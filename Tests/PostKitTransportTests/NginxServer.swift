// A real web server for what the stub can't do: TLS and HTTP/2.

import Foundation
import PostKitSupport
import PostKitTestSupport

/// nginx on loopback, with a certificate of its own; it ends with its last reference.
final class NginxServer: Sendable {
  /// The port for HTTP/2 and HTTP/1.1 over TLS.
  let securePort: Int
  /// The port for HTTP/2 without TLS.
  let plainPort: Int
  /// The certificate of the host `localhost`, which is its own authority.
  let certificate: String
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// Starts the server; `nil` where the machine has no nginx or no openssl.
  static func start() async throws -> NginxServer? {
    let reason = "TLS and HTTP/2 are tested with it"
    guard let nginx = try find("nginx", reason), let openssl = try find("openssl", reason) else {
      return nil
    }
    let directory = try TemporaryDirectory()
    let key = directory.path("key.pem")
    let certificate = directory.path("certificate.pem")
    let made = try await Subprocess.run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost",
      ])
    guard made.status == 0 else { throw NotStarted(reason: made.errorOutput) }
    return try await SerialQueueExecutor().perform {
      try NginxServer(nginx, directory, key: key, certificate: certificate)
    }
  }

  /// The server did not come up.
  struct NotStarted: Error {
    let reason: String
  }

  private static func find(_ name: String, _ reason: String) throws -> String? {
    // Debian keeps nginx where only the administrator's PATH looks.
    let administrators = "/usr/sbin/\(name)"
    if FileSystem.isRegularFile(administrators) { return administrators }
    return try Require.tool(name, reason: reason)
  }

  private init(
    _ nginx: String, _ directory: TemporaryDirectory, key: String, certificate: String
  ) throws {
    let ports = try NginxServer.freePorts()
    (securePort, plainPort) = ports
    self.directory = directory
    self.certificate = certificate
    let configuration = try directory.write(
      "nginx.conf",
      NginxServer.configuration(
        directory.path, securePort: ports.0, plainPort: ports.1, key: key, certificate: certificate)
    )
    process = try ChildProcess(nginx, ["-e", "stderr", "-c", configuration])
    close(process.input)
    close(process.output)
    var text = ""
    // It says so once it listens.
    let messages = process.error
    while !text.contains("event method") {
      let bytes = ChildProcess.read(messages)
      guard !bytes.isEmpty else { throw NotStarted(reason: text) }
      text += String(decoding: bytes, as: UTF8.self)
    }
    // From now on its messages are thrown away, so that the pipe never fills.
    SystemThread.start {
      while !ChildProcess.read(messages).isEmpty {}
      close(messages)
    }
  }

  deinit {
    // It is a single process without anything to put away; SIGTERM may be blocked in it.
    process.send(signal: SIGKILL)
    _ = process.waitForEnd(timeoutSeconds: 60)
  }

  private static func freePorts() throws -> (Int, Int) {
    // Two listeners at once, so that the ports differ.
    let first = try StubServer { _ in [] }
    let second = try StubServer { _ in [] }
    return (first.port, second.port)
  }

  private static func configuration(
    _ directory: String, securePort: Int, plainPort: Int, key: String, certificate: String
  ) -> String {
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
    return """
      daemon off; master_process off; pid \(directory)/pid; error_log stderr notice;
      events { worker_connections 64; }
      http {
        access_log off; \(places)
        server {
          listen 127.0.0.1:\(securePort) ssl http2;
          ssl_certificate \(certificate); ssl_certificate_key \(key);
          location / { add_header X-Protocol $server_protocol; return 200 "$request_method"; }
        }
        server {
          listen 127.0.0.1:\(plainPort) http2;
          location / { add_header X-Protocol $server_protocol; return 200 "$request_method"; }
        }
      }
      """
  }
}
