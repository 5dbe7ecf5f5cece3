// Lists of what the store keeps, as documents for clients of the standard alone.


/// A list that is opened by its URI where the client reads such documents, else as a file. All of
/// it are comments; what can be done with a line is told by the word at its end.
package enum ListDocument: String {
  case collections, cookies, session, searches

  /// The file of the list among the views.
  package var fileName: String { rawValue + ".http" }
}
