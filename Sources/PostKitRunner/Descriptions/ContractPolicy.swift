// What a run does about responses that are not as their descriptions say (IO-38).

import PostKitDescription
package import PostKitEvaluate

/// How the responses of a run are held against descriptions of their APIs.
package struct ContractPolicy: Sendable {
  /// What becomes of deviations.
  package var check = ContractCheck.off
  /// The settings of the project, by which descriptions are found.
  package var settings = Settings()
  /// The description that all requests mean (`--openapi`); else each has the one it is near to.
  package var given: LoadedDescription?
  /// Whether what is not described counts, too (`--openapi-strict`).
  package var isStrict = false

  /// A policy that checks nothing but what the file asks for.
  package init() {}

  /// The policy that a project has chosen.
  package init(_ settings: Settings) {
    self.settings = settings
    check = settings[.openapiCheck] ?? .note
  }
}

/// What a run knows of descriptions: where they are is looked up once, each is read once, and what
/// was read of its schemas serves all responses.
struct ContractBook {
  /// Descriptions without a tag, by the folder of the file.
  var surroundings: [String: DescriptionFinder.Candidates] = [:]
  var readings: [String: Result<LoadedDescription, DescriptionFailure>] = [:]
  var contracts: [String: ResponseContract] = [:]
  /// What was said of descriptions that can't be read.
  var said: Set<String> = []
}
