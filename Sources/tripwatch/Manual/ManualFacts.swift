/// Facts for the manual that are not in the definitions of the commands.
enum ManualFacts {
    static let exitCodes = [
        ("0", "The command succeeded; for 'follow', the trip is complete, or the user left the screen."),
        ("1", "Any other error."),
        (
            "2",
            "The trip was cancelled, or the shipment failed. Used by 'status', 'wait', 'follow' and 'replay'; with a screen, only for a "
                + "shipment."
        ),
        ("3", "There is no such trip."),
        ("4", "Not allowed, or the access token is missing or not valid."),
        ("64", "Usage error: the command line is not valid."),
        ("128+n", "Ended by signal n."),
    ]

    static let environment = [
        ("TRIPWATCH_TOKEN", "An access token for Fleet Engine."),
        (
            "TRIPWATCH_*",
            "Each key of the configuration file has a variable, such as TRIPWATCH_ENDPOINT or TRIPWATCH_PROVIDER_URL. "
                + "Flags override variables, and variables override the file."
        ),
        ("TRIPWATCH_PROFILE", "The profile to use from the configuration file."),
        ("ACCESSIBLE", "Set to 1 to print sentences that suit a screen reader."),
        ("NO_COLOR", "Disables colours if it is set."),
        ("COLORTERM, COLORFGBG, TERM", "Colours and background of the terminal."),
        (
            "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
            "Folders that hold the files below. The defaults are ~/.config, ~/.local/state and ~/.cache."
        ),
        ("SWIFT_BACKTRACE", "enable=yes prints a backtrace if the program crashes."),
    ]

    static let files = [
        ("~/.config/tripwatch/config.toml", "Settings; see tripwatch.toml(5)."),
        ("~/.config/tripwatch/themes/NAME.toml", "Your own themes; see tripwatch-theme(5)."),
        ("~/.local/state/tripwatch", "State kept between runs; it contains no tokens."),
        (
            "~/.local/state/tripwatch/rides",
            "The newest rides followed on a screen. Older ones are deleted, except in the subfolder 'kept'."
        ),
        ("~/.cache/tripwatch/tiles.sqlite", "Map tiles from the network."),
    ]

    static let configuration = """
        The file is $XDG_CONFIG_HOME/tripwatch/config.toml (~/.config/tripwatch/config.toml), in TOML. "tripwatch config default" prints \
        one with every key explained, "tripwatch config check" reports errors in your file, and "tripwatch config set KEY VALUE" \
        changes a setting and keeps your comments.

        Flags override the environment, and the environment overrides this file. Invalid and unknown settings are reported at startup \
        and ignored, with two exceptions: commands that need a server do not start if endpoint, plaintext, ca, provider, provider_url or \
        token_... is wrong, and "tripwatch serve" does not start if anything is wrong. A table [profiles.NAME] holds the same keys; the profile in use \
        overrides the keys above it. Do not put secrets in this file: a token comes from a file, a command or an address.
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
        "tripwatch themes show harbour-dark" prints one to start from, "tripwatch themes check NAME" reports its errors, and \
        --theme NAME uses it. A theme assigns styles to scopes. A style is a colour, or a table { fg, bg, bold, dim, underline, reverse, \
        italic }. Map areas also take texture; routes and markers also take width, visible, geodesic, traffic, icon, flat, anchor and z. \
        A colour is a name from [palette], default (the terminal's own), 0 to 255, "#rrggbb", or one of black, red, green, yellow, \
        blue, magenta, cyan and white, also with bright- before it (bright-red). [palette_direct] and [palette16] replace \
        colours of [palette] on terminals with direct (24-bit) colour and with sixteen colours.

        A scope without a style takes the style of its closest parent: map.road.primary, then map.road, then map. "inherits" names a \
        theme whose styles apply to scopes that this theme does not set. "background" is dark, light or any. "about" describes the \
        theme in the list of themes.
        """

    static let themeExample = """
        inherits = "harbour-dark"

        [palette]
        lamp = 204
        """
}
