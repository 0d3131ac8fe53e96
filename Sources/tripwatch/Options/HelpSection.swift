/// The titles of option groups in a command's help, in the order in which the help shows them.
enum HelpSection {
    static let common = "Common options"
    static let map = "Map and screen options"
    static let connection = "Connection options"
    static let advanced = "Advanced options"
}
