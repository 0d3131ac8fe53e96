import Testing

@testable import tripwatch

@Suite("Suggestions for mistyped words and options")
struct MistypedWordsTests {
    @Test("for an unknown command")
    func nearCommands() throws {
        let program = try #require(CommandWords.description)
        for (words, sentence) in [
            (["folow"], "there is no command 'folow': did you mean 'follow'?"),
            (["Follow"], "there is no command 'Follow': did you mean 'follow'?"),
            (["foll"], "there is no command 'foll': did you mean 'follow'?"),
            (["themes", "lst"], "there is no command 'themes lst': did you mean 'themes list'?"),
            (["token", "mnit"], "there is no command 'token mnit': did you mean 'token mint'?"),
            (["serve", "bakcup"], "there is no command 'serve bakcup': did you mean 'serve backup'?"),
            (["xyzzy"], "there is no command 'xyzzy': 'tripwatch --help' lists the commands."),
            (["themes", "xyzzy"], "there is no command 'themes xyzzy': 'tripwatch themes --help' lists the commands."),
        ] {
            #expect(MistypedWords.fault(in: words, of: program) == .command(sentence), "\(words)")
        }
        #expect(
            MistypedWords.fault(ofHelp: ["folow"], of: program) == "there is no command 'folow': did you mean 'follow'?")
    }

    @Test("for an unknown option or word")
    func nearOptions() throws {
        let program = try #require(CommandWords.description)
        for (words, sentence) in [
            (["drive", "--simulat"], "Unknown option '--simulat'. Did you mean '--simulate'?"),
            (["share", "--blurr=1"], "Unknown option '--blurr'. Did you mean '--blur'?"),
            (["drive", "--xyzzy"], "Unknown option '--xyzzy'."), (["themes", "--jsn"], "Unknown option '--jsn'. Did you mean '--json'?"),
            (["list", "x"], "Unexpected argument 'x'"), (["--hlep"], "Unknown option '--hlep'. Did you mean '--help'?"),
        ] {
            #expect(MistypedWords.fault(in: words, of: program) == .argument(sentence), "\(words)")
        }
    }
}
