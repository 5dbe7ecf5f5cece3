// A real web server for what the stub can't do: TLS and HTTP/2.

import Libc
import PostKitSupport

/// nginx on loopback, with a certificate of its own; it ends with its last reference.
package final class NginxServer: Sendable {
  /// The port for HTTP/2 and HTTP/1.1 over TLS.
  package let securePort: Int
  /// The port for TLS with clients that have a certificate; it answers with the client's name.
  /// `/elsewhere` leads to it by another host name, `/there-and-back` by that to the first again.
  package let mutualPort: Int
  /// The port for HTTP/2 without TLS.
  package let plainPort: Int
  /// The certificate of the host `localhost`, which is its own authority.
  package let certificate: String
  /// The folder of the client's files: `ann.pem` and `ann.key`, the same as `ann.der`,
  /// `ann.key.der`, and with the passphrase `open sesame` as `ann.locked.key` and `ann.p12`;
  /// `both.pem` is certificate and key in one file, `other.key` the key of nobody.
  package var clientFolder: String { directory.path }
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// Starts the server; `nil` where the machine has no nginx or no openssl.
  package static func start() async throws -> NginxServer? {
    let reason = "TLS and HTTP/2 are tested with it"
    guard let nginx = try find("nginx", reason), let openssl = try find("openssl", reason) else {
      return nil
    }
    let directory = try TemporaryDirectory()
    let made = try await Subprocess.run(
      "sh", ["-e", "-c", commands, openssl], directory: directory.path)
    guard made.status == 0 else { throw NotStarted(reason: made.errorOutput) }
    return try await SerialQueueExecutor().perform { try NginxServer(nginx, directory) }
  }

  /// Makes all certificates; `$0` is openssl.
  private static let commands = """
    make="req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    "$0" $make -keyout key.pem -out certificate.pem -subj /CN=localhost \\
      -addext subjectAltName=DNS:localhost
    "$0" $make -keyout authority.key -out authority.pem -subj /CN=authority
    "$0" req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ann.key -out ann.csr \\
      -subj /CN=ann
    "$0" x509 -req -in ann.csr -CA authority.pem -CAkey authority.key -set_serial 7 -days 2 \\
      -out ann.pem
    "$0" x509 -in ann.pem -outform DER -out ann.der
    "$0" pkey -in ann.key -outform DER -out ann.key.der
    "$0" pkey -in ann.key -aes256 -passout "pass:open sesame" -out ann.locked.key
    "$0" pkcs12 -export -in ann.pem -inkey ann.key -passout "pass:open sesame" -out ann.p12
    "$0" ecparam -name prime256v1 -genkey -noout -out other.key
    cat ann.pem ann.key > both.pem
    """

  /// The server did not come up.
  package struct NotStarted: Error {
    /// What openssl or nginx said.
    package let reason: String
  }

  private static func find(_ name: String, _ reason: String) throws -> String? {
    // Debian keeps nginx where only the administrator's PATH looks.
    let administrators = "/usr/sbin/\(name)"
    if FileSystem.isRegularFile(administrators) { return administrators }
    return try Require.tool(name, reason: reason)
  }

  private init(_ nginx: String, _ directory: TemporaryDirectory) throws {
    // Listeners at once, so that the ports differ.
    let ports = try (0..<3).map { _ in try StubServer { _ in [] } }.map(\.port)
    (securePort, mutualPort, plainPort) = (ports[0], ports[1], ports[2])
    self.directory = directory
    certificate = directory.path("certificate.pem")
    let configuration = try directory.write(
      "nginx.conf", NginxServer.configuration(directory.path, ports))
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

  private static func configuration(_ directory: String, _ ports: [Int]) -> String {
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
    return """
      daemon off; master_process off; pid \(directory)/pid; error_log stderr notice;
      events { worker_connections 64; }
      http {
        access_log off; \(places)
        ssl_certificate \(directory)/certificate.pem; ssl_certificate_key \(directory)/key.pem;
        server {
          listen 127.0.0.1:\(ports[0]) ssl http2;
          add_header X-Protocol $server_protocol;
          add_header X-Got-Proxy-Authorization $http_proxy_authorization;
          location / { return 200 "$request_method"; }
        }
        server {
          listen 127.0.0.1:\(ports[1]) ssl;
          ssl_verify_client on; ssl_client_certificate \(directory)/authority.pem;
          location / { return 200 "$ssl_client_s_dn"; }
          location /elsewhere { return 302 https://127.0.0.1:$server_port/; }
          location /back { return 302 https://localhost:$server_port/; }
          location /there-and-back { return 302 https://127.0.0.1:$server_port/back; }
        }
        server {
          listen 127.0.0.1:\(ports[2]) http2;
          location / { add_header X-Protocol $server_protocol; return 200 "$request_method"; }
        }
      }
      """
  }
}
