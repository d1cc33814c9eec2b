/// Writes a list as one element a line, with conditions and loops where they help.
@resultBuilder
public enum ListBuilder<Element> {
    /// An element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Elements that are in a list already.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Elements after each other.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Elements that are there under a condition.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Elements of the first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Elements of the second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }

    /// Elements that are there on some systems.
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}
