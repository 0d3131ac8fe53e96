import ArgumentParser
import FleetEngine
import TripWatchApp
import TripWatchRuntime

// Options that can be read from a plain line. A test holds each against the parser.

extension LogOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        options.log = nil
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { option == "--log" && line.set(&log) }
}

extension ConfigurationOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        options.profile = nil
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { option == "--profile" && line.set(&profile) }
}

extension PaceOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        options.interval = nil
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { option == "--interval" && line.set(&interval) }
}

extension OverlayOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        options.overlay = []
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { option == "--overlay" && line.set(&overlay) }
}

extension DumpOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.dump, options.size, options.format) = (false, nil, nil)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--dump": line.set(&dump)
        case "--size": line.set(&size)
        case "--format": line.set(&format)
        default: false
        }
    }
}

extension TokenOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.tokenFile, options.tokenCommand, options.tokenUrl) = (nil, nil, nil)
        (options.tokenHeader, options.tokenHeaderFile) = ([], nil)
        let format = TokenAnswerFormat()
        (options.tokenKey, options.tokenExpiryKey, options.tokenExpiry) = (format.tokenKey, format.expiryKey ?? "", .guessed)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--token-file": line.set(&tokenFile)
        case "--token-command": line.set(&tokenCommand)
        case "--token-url": line.set(&tokenUrl)
        default: false
        }
    }
}

extension ConnectionOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.endpoint, options.plaintext, options.ca, options.provider) = (nil, nil, nil, nil)
        options.tokens = .unsaid
        return options
    }

    var groups: [any PlainOptions] { [tokens] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--endpoint": line.set(&endpoint)
        case "--plaintext": line.set(&plaintext)
        case "--ca": line.set(&ca)
        case "--provider": line.set(&provider)
        default: tokens.take(option, from: &line)
        }
    }
}

extension ProviderOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.providerUrl, options.providerHeader, options.providerHeaderFile) = (nil, [], nil)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { option == "--provider-url" && line.set(&providerUrl) }
}

extension ChosenOutput: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.output, options.drawn, options.units) = (nil, nil, nil)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--output": line.set(&output)
        case "--drawn": line.set(&drawn)
        case "--units": line.set(&units)
        default: false
        }
    }
}

extension LookOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.theme, options.painter, options.colors, options.askTerminal, options.mouse) = (nil, nil, nil, nil, nil)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--theme": line.set(&theme)
        case "--painter": line.set(&painter)
        case "--colors": line.set(&colors)
        case "--ask-terminal": line.set(&askTerminal)
        case "--mouse": line.set(&mouse)
        default: false
        }
    }
}

extension BaseMapOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.basemap, options.language, options.offline, options.cacheSize) = (nil, [], false, nil)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--basemap": line.set(&basemap)
        case "--language": line.set(&language)
        case "--offline": line.set(&offline)
        case "--cache-size": line.set(&cacheSize)
        default: false
        }
    }
}

extension ScreenOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.look, options.map) = (.unsaid, .unsaid)
        (options.title, options.here, options.readOnly) = (nil, nil, false)
        return options
    }

    var groups: [any PlainOptions] { [look, map] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--title": line.set(&title)
        case "--here": line.set(&here)
        case "--read-only": line.set(&readOnly)
        default: look.take(option, from: &line) || map.take(option, from: &line)
        }
    }
}

extension HookRuleOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.when, options.hookKeyFile) = (nil, nil)
        return options
    }

    // Words for other programs are the parser's.
    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { false }
}

extension HookOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.hook, options.onEvent, options.rules) = ([], [], .unsaid)
        return options
    }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool { false }
}

extension FollowOptions: PlainOptions {
    static var unsaid: Self {
        var options = Self()
        (options.output, options.look, options.ground, options.pace, options.hooks) = (.unsaid, .unsaid, .unsaid, .unsaid, .unsaid)
        (options.keepTrying, options.nearby, options.record) = (false, false, nil)
        return options
    }

    // Without a word for them hooks have nothing to check.
    var groups: [any PlainOptions] { [output, look, ground, pace] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--keep-trying": line.set(&keepTrying)
        case "--nearby": line.set(&nearby)
        case "--record": line.set(&record)
        default:
            output.take(option, from: &line) || look.take(option, from: &line) || ground.take(option, from: &line)
                || pace.take(option, from: &line)
        }
    }
}
