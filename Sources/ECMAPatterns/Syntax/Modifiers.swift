/// The flags that a group such as `(?i-s:…)` sets for what it holds.
struct Modifiers {
    /// `i`: letters match in either case.
    var ignoresCase = false
    /// `m`: `^` and `$` match at every line.
    var isMultiline = false
    /// `s`: `.` matches line ends too.
    var dotMatchesAll = false

    /// The characters that match where the expression names a set of them.
    func widened(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.closedOverCase : set }
}
