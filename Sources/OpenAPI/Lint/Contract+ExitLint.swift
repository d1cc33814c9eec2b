import Basics

extension Contract {
    /// Schemas that no finite value can satisfy, because they need themselves.
    func exitFindings() -> [Finding] {
        let graph = ExitGraph(contract: self)
        return graph.loops().map { loop in
            Finding(
                .error,
                id: "contract/endless-schema",
                "no finite value obeys this schema: it needs \(loop.way)".printable,
                at: place(of: loop.position),
                advice: "make one of them optional, nullable, or an array that may be empty"
            )
        }
    }
}
