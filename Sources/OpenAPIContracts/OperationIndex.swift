/// Finds the operation for a path.
struct OperationIndex: Sendable {
}
