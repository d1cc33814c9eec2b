import Basics
import CommandLineInterface
import JSON
import ProgramInterface

/// `backlot skill`: the guide for programs as a file that agents load.
enum SkillCommand {
    private static let install = Option(
        "install",
        "FOLDER",
        .folder,
        "Write the skill to backlot/SKILL.md in this folder instead of printing it"
    )

    static let description = CommandDescription(
        "skill",
        "Print the guide for programs as a skill file",
        examples: [
            "backlot skill": "Print the skill",
            "backlot skill --install .agents/skills": "Write .agents/skills/backlot/SKILL.md",
        ],
        options: [install],
        result: ["file": ["type": "string"]]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        guard let folder = arguments[install] else { return Terminal.output(Skill.text) ? .success : .misuse }
        let place = FilePath.join(folder, Skill.name)
        let file = FilePath.join(place, "SKILL.md")
        do {
            try DiskFiles().makeFolder(place)
        } catch {
            return Terminal.refuse("the folder \(place) cannot be created: \(error.reason)")
        }
        if let problem = Terminal.writeFile(file, Skill.text) {
            return Terminal.refuse("\(file) cannot be written: \(problem)")
        }
        Terminal.changeResult { $0.members["file"] = .string(file) }
        Terminal.output("wrote \(file.printable)\n")
        return .success
    }
}
