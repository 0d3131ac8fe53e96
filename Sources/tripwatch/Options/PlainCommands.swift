import TripWatchApp

// Commands that people wait for, or that run again and again, and are read from a plain line. A test holds each against the parser.

extension DemoCommand: PlainCommand {
    static var unsaid: Self {
        var command = Self()
        (command.speed, command.seed, command.grpcPort, command.record) = (1, 1, 0, nil)
        (command.log, command.settings, command.output, command.look) = (.unsaid, .unsaid, .unsaid, .unsaid)
        return command
    }

    var groups: [any PlainOptions] { [output, look] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--speed": line.set(&speed)
        case "--seed": line.set(&seed)
        case "--grpc-port": line.set(&grpcPort)
        case "--record": line.set(&record)
        default:
            look.take(option, from: &line) || output.take(option, from: &line) || log.take(option, from: &line)
                || settings.take(option, from: &line)
        }
    }
}

extension FollowCommand: PlainCommand {
    static var unsaid: Self {
        var command = Self()
        command.trips = []
        (command.log, command.settings, command.connection, command.provider) = (.unsaid, .unsaid, .unsaid, .unsaid)
        (command.following, command.frame) = (.unsaid, .unsaid)
        return command
    }

    var groups: [any PlainOptions] { [connection, provider, following, frame] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        connection.take(option, from: &line) || following.take(option, from: &line) || frame.take(option, from: &line)
            || provider.take(option, from: &line) || log.take(option, from: &line) || settings.take(option, from: &line)
    }

    mutating func take(_ word: String) -> Bool {
        trips.append(word)
        return true
    }
}

extension MapCommand: PlainCommand {
    static var unsaid: Self {
        var command = Self()
        (command.place, command.json, command.fleet, command.vehicle) = ([], false, nil, [])
        (command.frame, command.ground, command.log, command.settings) = (.unsaid, .unsaid, .unsaid, .unsaid)
        (command.connection, command.pace, command.look) = (.unsaid, .unsaid, .unsaid)
        return command
    }

    var groups: [any PlainOptions] { [frame, connection, pace, look] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--json": line.set(&json)
        case "--fleet": line.set(&fleet)
        case "--vehicle": line.set(&vehicle)
        default:
            look.take(option, from: &line) || frame.take(option, from: &line) || ground.take(option, from: &line)
                || connection.take(option, from: &line) || pace.take(option, from: &line) || log.take(option, from: &line)
                || settings.take(option, from: &line)
        }
    }

    mutating func take(_ word: String) -> Bool {
        place.append(word)
        return true
    }
}

extension StatusCommand: PlainCommand {
    static var unsaid: Self {
        var command = Self()
        (command.trip, command.format, command.units, command.title) = ("", nil, nil, nil)
        (command.waybar, command.tmux, command.json, command.watch) = (false, false, false, false)
        (command.pace, command.log, command.settings, command.connection) = (.unsaid, .unsaid, .unsaid, .unsaid)
        return command
    }

    var isComplete: Bool { !trip.isEmpty }
    var groups: [any PlainOptions] { [pace, connection] }

    mutating func take(_ option: String, from line: inout PlainLine) -> Bool {
        switch option {
        case "--format": line.set(&format)
        case "--units": line.set(&units)
        case "--title": line.set(&title)
        case "--waybar": line.set(&waybar)
        case "--tmux": line.set(&tmux)
        case "--json": line.set(&json)
        case "--watch": line.set(&watch)
        default:
            connection.take(option, from: &line) || pace.take(option, from: &line) || log.take(option, from: &line)
                || settings.take(option, from: &line)
        }
    }

    mutating func take(_ word: String) -> Bool {
        guard trip.isEmpty else { return false }
        trip = word
        return true
    }
}
