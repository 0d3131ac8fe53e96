/// What the manual says that stands in no definition.
enum ManualFacts {
    static let exitCodes = [
        ("0", "The trip is complete, or the screen was left."),
        ("1", "It failed."),
        ("2", "The trip was cancelled (follow and wait without a screen)."),
        ("3", "There is no such trip."),
        ("4", "Not allowed, or a sign-in is needed."),
        ("64", "The command line cannot be used so."),
        ("128+n", "Ended by signal n, which the program then sends itself."),
    ]

    static let environment = [
        ("TRIPWATCH_TOKEN", "An access token for the Fleet Engine."),
        (
            "TRIPWATCH_KEY",
            "Every key of the configuration file is a variable too, its name in capitals: TRIPWATCH_ENDPOINT, TRIPWATCH_PROVIDER_URL. "
                + "A flag wins over it, and it wins over the file."
        ),
        ("TRIPWATCH_PROFILE", "The profile of the configuration file that counts."),
        ("ACCESSIBLE", "1 asks for sentences that are good to listen to."),
        ("NO_COLOR", "If it is set, nothing is coloured."),
        ("COLORTERM, COLORFGBG, TERM", "What the terminal can show, and on which background."),
        (
            "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
            "Where the files below are, in place of ~/.config, ~/.local/state and ~/.cache."
        ),
        ("SWIFT_BACKTRACE", "enable=yes asks for a backtrace of a crash."),
    ]

    static let files = [
        ("~/.config/tripwatch/config.toml", "What is done where no flag says otherwise; see tripwatch.toml(5)."),
        ("~/.config/tripwatch/themes/NAME.toml", "Colours of your own; see tripwatch-theme(5)."),
        ("~/.local/state/tripwatch", "What is remembered between runs. No token is among it."),
        ("~/.local/state/tripwatch/rides", "The last rides that were followed on a screen, and in kept those that stay."),
        ("~/.cache/tripwatch/tiles.sqlite", "Map tiles from the network."),
    ]

    static let configuration = """
        The file is $XDG_CONFIG_HOME/tripwatch/config.toml (~/.config/tripwatch/config.toml), in TOML. "tripwatch config default" prints one \
        in which every key is explained, "tripwatch config check" tells what is wrong with yours, "tripwatch config set KEY VALUE" changes \
        it and leaves your comments where they are.

        A flag wins over the environment, and that over this file. What is wrong or unknown in it is told at the start and left out. A table \
        [profiles.NAME] holds the same keys; those of the profile in use win over the keys above. Secrets have no place here: a token comes \
        from a file, a command or an address.
        """

    static let configurationExample = """
        endpoint = "fleetengine.googleapis.com:443"
        provider = "demo"
        token_command = "get-token --trip $TRIPWATCH_TRIP_ID"
        theme = "harbour-light"

        [profiles.laptop]
        endpoint = "127.0.0.1:50051"
        plaintext = true
        """

    static let theme = """
        A theme of your own is a file $XDG_CONFIG_HOME/tripwatch/themes/NAME.toml (~/.config/tripwatch/themes/NAME.toml), in TOML; \
        "tripwatch themes show harbour-dark" prints one to begin with, "tripwatch themes check NAME" tells what is wrong with it, --theme NAME \
        shows it. It gives styles to scopes. A style is a colour, or a table { fg, bg, bold, dim, underline, reverse, italic }; areas of the \
        map take texture, routes and markers width, visible, geodesic, traffic, icon, flat, anchor and z as well. A colour is a name from \
        [palette], default (the terminal's own), 0 to 255, "#rrggbb", or black to white, bright-black to bright-white. [palette_direct] and \
        [palette16] say what stands for a name where there are direct colours, and where there are sixteen.

        A scope that is not given takes the style of the longest beginning of its name that is: map.road.primary, then map.road, then map. \
        "inherits" names a theme whose styles count where this one has none, "background" is dark, light or any, "about" a line for the list.
        """

    static let themeExample = """
        inherits = "harbour-dark"

        [palette]
        lamp = 204
        """
}
