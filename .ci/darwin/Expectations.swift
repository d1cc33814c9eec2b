// The functions by which check-darwin replaces #expect and #require: they have the macros' parameters, and the compiler needs
// a fraction of the time.

import Testing

func replacedExpectation(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) {}

func replacedRequirement(
    _ condition: Bool,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) throws {}

func replacedRequirement<T>(
    _ optional: T?,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation? = nil
) throws -> T {
    guard let value = optional else { throw CancellationError() }
    return value
}
