// Who has chosen how a request reaches its server: what a folder that is not trusted chooses is
// asked about before anything is sent.

/// Who has chosen a part of how a request is carried out.
package enum ChoiceSource: Sendable, Hashable {
  /// The settings for all requests, where these say anything.
  case defaults
  /// The request itself, by a tag or an option of its command line.
  case request
  /// A variable, or a member of an environment, in the file at a path; empty where no file has it.
  case definition(path: String)
}
