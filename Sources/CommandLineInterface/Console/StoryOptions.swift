/// The options of all commands that play stories.
package enum StoryOptions {
    /// The ids that choose among the stories.
    package static let only = Option(
        repeated: "story",
        "ID",
        .text("a story's id"),
        "Only the story with this id"
    )
    /// What chance begins with.
    package static let seed = Option(
        "seed",
        "N",
        .integer(in: 0...Int.max),
        "Start every random choice from this number"
    )

    /// How often stories are played.
    package static func schedules(default count: Int, _ help: String) -> Option<Int> {
        Option("schedules", "N", .integer(in: 1...1_000_000), default: count, help)
    }
}
