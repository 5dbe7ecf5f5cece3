// A request between the evaluation and its sending.

import PostKitEvaluate
import PostKitHTTP

/// A request that is ready to be sent.
struct PreparedRequest: Sendable {
  var id: String
  var place: RequestPlace
  /// The turn of its loop, from 0; `nil` where it has none.
  var turn: Int?
  var spec: RequestSpec
  /// The method with secrets masked.
  var method: String
  /// The URL with secrets masked.
  var url: String
  var lowered: LoweredRequest

  /// What is told when it is sent.
  var event: RunEvent { .sending(id: id, place: place, method: method, url: url) }
}
