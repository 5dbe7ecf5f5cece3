// The script engine as PostKit starts it, which also tells tests what it could reach from inside.

import CProbe
import Libc
import PostKitScriptHost
import PostKitSupport

ScriptHostMain.run { name in
  switch name {
  case "environment": return ProcessEnvironment.names.joined(separator: " ")
  case "descriptors":
    return (0..<1_024).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init).joined(separator: " ")
  case "calls":
    return (0..<postkit_probe_count()).map { index in
      let name = postkit_probe_name(index).map { String(cString: $0) } ?? ""
      return "\(name): \(postkit_probe_try(index))"
    }.joined(separator: "\n")
  case "crash": abort()
  default: return "unknown"
  }
}
