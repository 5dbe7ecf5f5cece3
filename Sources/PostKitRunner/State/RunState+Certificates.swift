// The client certificate of a host to which a redirect leads (PK-84, PK-86).

import PostKitEvaluate
import PostKitHTTP

extension RunState {
  /// What the host of the next hop is shown, `nil` for nothing. Its passphrase may have to be asked
  /// for, and its files may lie where they must not be read.
  mutating func certificate(
    for url: String, of request: PreparedRequest, _ services: RunServices
  ) async -> Result<ClientIdentity?, Failure> {
    let lowered = await meetingNeeds(services) { state in
      let found = Lowering.certificate(
        for: url, after: request.lowered, of: state.scope.files.block(request.place),
        evaluator: state.evaluator(request.place, services, "certificate"),
        defaults: state.input.defaults)
      state.addSecrets(found?.secrets ?? [])
      return found
    }
    switch lowered {
    case .failure(let failure): return .failure(failure)
    case .success(nil): return .success(nil)
    case .success(let found?):
      if found.failure != nil { return .failure(failure(found.problems)) }
      let identity = found.settings.options.clientCertificate
      let files = [identity?.certificate, identity?.key].compactMap { $0 }
      if let failure = await trust(files, services) { return .failure(failure) }
      return .success(identity)
    }
  }
}
