extension NameStock {
    /// A theme for the street names of a quarter.
    struct Theme: Sendable {
        var words: [String]
    }

    /// Complete street names, for the old town only.
    static let oldTownNames = [
        "Mill Lane", "Bread Street", "Silver Street", "Honey Lane", "Butter Row", "Fish Street", "Goose Lane", "Well Lane", "Bell Lane",
        "Lantern Lane", "Cloister Lane", "Minster Lane", "Old Mint Lane", "Swan Alley", "Anchor Alley", "Star Passage", "Candle Lane",
        "Pepper Lane", "Ginger Row", "Needle Alley", "Crooked Lane", "Middle Row", "Upper Row", "Lower Row", "Bakehouse Lane",
        "Brewhouse Lane",
        "Cheese Row", "Barrel Lane", "Apple Row", "Cherry Alley", "Vinegar Yard", "Salt Lane", "Sugar Lane", "Wool Street", "Linen Row",
        "Lace Alley", "Ribbon Row", "Button Lane", "Thimble Court", "Feather Lane", "Chalk Lane", "Ink Lane", "Paper Row", "Key Alley",
        "Hammer Lane", "Anvil Yard", "Bellows Lane", "Horseshoe Yard", "Cart Lane", "Pump Lane", "Dial Lane", "Clock Alley", "Organ Lane",
        "Choir Lane", "Garland Lane", "Moon Lane", "Sun Alley", "Raven Lane", "Hen Lane", "Dove Lane", "Bear Alley", "Stag Lane",
        "Unicorn Court",
        "Griffin Lane", "Dolphin Court", "Ship Lane", "Rudder Alley", "Mitre Lane", "Orange Court", "Fig Tree Court", "Ivy Lane",
        "Fountain Lane",
        "Cistern Lane", "Stair Lane", "Blind Lane", "Narrow Lane", "Long Lane", "Short Lane", "Cross Lane", "High Street",
        "Guildhall Street",
        "Exchange Lane", "Weigh House Lane", "Counting House Lane", "Almshouse Lane", "Schoolhouse Lane", "Cellar Lane", "Oven Lane",
        "Bath House Lane", "Lamp Lane", "Pearl Lane", "Coral Alley", "Amber Lane", "Copper Lane", "Pewter Row", "Brass Alley", "Tin Lane",
    ]
    static let trades = [
        "Tanner's", "Cooper's", "Chandler's", "Weaver's", "Dyer's", "Fuller's", "Potter's", "Salter's", "Cutler's", "Brewer's", "Carter's",
        "Glover's", "Hatter's", "Fletcher's", "Mason's", "Saddler's", "Tinker's", "Vintner's", "Roper's", "Bookbinder's", "Wheelwright's",
        "Fishmonger's", "Goldbeater's", "Spicer's", "Turner's", "Lorimer's", "Girdler's", "Pewterer's", "Armourer's", "Furrier's",
        "Draper's",
        "Mercer's", "Joiner's", "Tiler's", "Glazier's", "Plumber's", "Farrier's", "Horner's", "Bellfounder's", "Papermaker's", "Skinner's",
        "Baker's", "Barber's", "Clockmaker's", "Basketmaker's", "Broom Maker's", "Nailer's", "Netmaker's", "Sailmaker's", "Ferryman's",
    ]
    static let tradeEndings = ["Row", "Lane", "Yard", "Alley", "Court", "Wynd", "Passage", "Street"]

    static let works = [
        "Foundry", "Boiler", "Crane", "Dock", "Wharf", "Gantry", "Cooperage", "Sawmill", "Brewery", "Tannery", "Granary", "Slipway",
        "Anchor",
        "Rivet", "Turbine", "Dynamo", "Furnace", "Kiln", "Loom", "Spindle", "Piston", "Flywheel", "Bobbin", "Tram Depot", "Goods Yard",
        "Signal",
        "Engine", "Coppersmith", "Malthouse", "Shipyard", "Ropery", "Warehouse", "Bonded Store", "Weighbridge", "Depot", "Viaduct",
    ]
    static let worksEndings = ["Road", "Street", "Way", "Lane", "Approach", "Row"]

    static let themes: [Theme] = [
        Theme(words: [
            "Ash", "Aspen", "Beech", "Birch", "Cedar", "Cypress", "Elder", "Fir", "Hawthorn", "Hazel", "Holly", "Juniper", "Laburnum",
            "Larch", "Laurel", "Mulberry", "Oak", "Olive", "Pine", "Quince", "Rowan", "Spruce", "Willow", "Yew", "Whitebeam", "Osier",
            "Medlar", "Alder", "Box Tree", "Blackthorn", "Buckthorn", "Sallow", "Hornbeam", "Maple", "Poplar", "Elm", "Lime Tree",
        ]),
        Theme(words: [
            "Blackbird", "Bullfinch", "Bunting", "Chaffinch", "Curlew", "Dipper", "Fieldfare", "Firecrest", "Goldcrest", "Goldfinch",
            "Greenfinch", "Heron", "Jackdaw", "Kestrel", "Kingfisher", "Lapwing", "Linnet", "Magpie", "Nightingale", "Nuthatch",
            "Oriole", "Ouzel", "Pipit", "Plover", "Redstart", "Redwing", "Siskin", "Skylark", "Snipe", "Starling", "Swallow", "Swift",
            "Teal", "Thrush", "Wagtail", "Waxwing", "Woodlark", "Woodpecker", "Wren", "Turtle Dove",
        ]),
        Theme(words: [
            "Aster", "Bluebell", "Buttercup", "Campion", "Clover", "Columbine", "Cornflower", "Cowslip", "Crocus", "Daffodil",
            "Foxglove", "Gentian", "Harebell", "Heather", "Honeysuckle", "Hyacinth", "Iris", "Jasmine", "Larkspur", "Lavender", "Lilac",
            "Lupin", "Marigold", "Meadowsweet", "Orchid", "Peony", "Periwinkle", "Poppy", "Primrose", "Rose", "Snowdrop", "Speedwell",
            "Teasel", "Thistle", "Tulip", "Verbena", "Wisteria", "Yarrow", "Anemone", "Camellia", "Celandine",
        ]),
        Theme(words: [
            "Agate", "Alabaster", "Amber", "Basalt", "Beryl", "Cobalt", "Coral", "Crystal", "Diamond", "Emerald", "Flint", "Garnet",
            "Granite", "Ironstone", "Jasper", "Limestone", "Marble", "Onyx", "Opal", "Pearl", "Quartz", "Ruby", "Sandstone", "Sapphire",
            "Slate", "Topaz", "Turquoise", "Greenstone", "Bluestone", "Cornelian", "Moonstone", "Silver", "Copper", "Pewter", "Ivory",
            "Ebony", "Jade",
        ]),
        Theme(words: [
            "Aurora", "Cloudberry", "Comet", "Daybreak", "Dewdrop", "Eclipse", "Equinox", "Evening", "Harvest Moon", "Horizon",
            "Lantern", "Meteor", "Meridian", "Midsummer", "Morning", "Orbit", "Rainbow", "Sirius", "Solstice", "Springtide", "Starlight",
            "Summer", "Sunrise", "Sunset", "Trade Wind", "Twilight", "Westwind", "Southwind", "Winter", "Zenith", "Zephyr", "Polaris",
            "Orion", "Lyra", "Vega", "Halo",
        ]),
        Theme(words: [
            "Carillon", "Cello", "Chorale", "Clarinet", "Dulcimer", "Fanfare", "Flute", "Harmony", "Harp", "Hornpipe", "Lute", "Lyre",
            "Madrigal", "Mandolin", "Mazurka", "Melody", "Minuet", "Nocturne", "Oboe", "Overture", "Prelude", "Psaltery", "Rondo",
            "Serenade", "Sonata", "Spinet", "Toccata", "Trumpet", "Viola", "Zither", "Concert", "Bandstand", "Opera", "Cantata",
            "Pavane", "Galliard",
        ]),
        Theme(words: [
            "Almond", "Apple", "Apricot", "Barberry", "Bilberry", "Blackberry", "Bramble", "Cherry", "Chestnut", "Cobnut", "Cranberry",
            "Currant", "Damson", "Elderberry", "Fig", "Filbert", "Gooseberry", "Grape", "Greengage", "Hop", "Juneberry", "Lemon",
            "Mirabelle", "Nectarine", "Orange", "Peach", "Pear", "Pippin", "Plum", "Raspberry", "Russet", "Sloe", "Strawberry", "Walnut",
            "Whortleberry", "Pomegranate", "Vine",
        ]),
        Theme(words: [
            "Barley", "Barn", "Beacon", "Beehive", "Byre", "Coppice", "Corn", "Croft", "Dairy", "Dovecote", "Drover", "Fallow", "Flax",
            "Fold", "Furlong", "Gleaner", "Grange", "Granary", "Headland", "Hedgerow", "Meadow", "Millet", "Oat", "Orchard", "Paddock",
            "Pasture", "Plough", "Reaper", "Rye", "Sheaf", "Shepherd", "Stable", "Stile", "Thresher", "Wheat", "Windrow", "Haymaker",
            "Long Acre", "Ten Acre", "Tithe Barn",
        ]),
        Theme(words: [
            "Albatross", "Bowsprit", "Brigantine", "Buoy", "Clipper", "Cockle", "Compass", "Cutter", "Dolphin", "Driftwood", "Fathom",
            "Frigate", "Galleon", "Gull", "Halyard", "Haven", "Helm", "Jetty", "Keel", "Ketch", "Lighthouse", "Mainsail", "Mariner",
            "Mizzen", "Nautilus", "Navigator", "Oyster", "Pelican", "Pennant", "Petrel", "Pilot", "Regatta", "Schooner", "Sextant",
            "Shingle", "Spindrift", "Spinnaker", "Tern", "Tiller", "Topsail", "Yawl", "Samphire",
        ]),
        Theme(words: [
            "Angelica", "Balm", "Bay", "Bergamot", "Betony", "Borage", "Burnet", "Camomile", "Caraway", "Cardamom", "Chervil", "Chicory",
            "Cinnamon", "Clove", "Comfrey", "Coriander", "Cress", "Dill", "Fennel", "Hyssop", "Juniper Berry", "Lovage", "Mallow",
            "Marjoram", "Mint", "Nutmeg", "Parsley", "Rosemary", "Saffron", "Sage", "Savory", "Sorrel", "Tarragon", "Thyme", "Valerian",
            "Vervain", "Woodruff", "Vanilla",
        ]),
        Theme(words: [
            "Almanac", "Alphabet", "Anthology", "Atlas", "Ballad", "Chapter", "Chronicle", "College", "Fable", "Folio", "Gazette",
            "Globe", "Inkwell", "Ledger", "Legend", "Lyric", "Octavo", "Papyrus", "Parchment", "Pencil", "Quarto", "Quill", "Saga",
            "Scholar", "Sonnet", "Sundial", "Tablet", "Telescope", "Vellum", "Prism", "Lecture", "Library", "Reading Room", "Printer's",
            "Lexicon", "Encyclopaedia",
        ]),
        Theme(words: [
            "Beck", "Bourne", "Bridge End", "Brook", "Brookside", "Cliff", "Common", "Dale", "Dell", "Down", "Fell", "Ford", "Glade",
            "Glen", "Heath", "Highland", "Hilltop", "Hollow", "Holt", "Knoll", "Lea", "Marsh", "Mead", "Mill Pond", "Moor", "Moss",
            "Pond", "Ridge", "River", "Spinney", "Spring", "Summit", "Upland", "Vale", "Valley", "Warren", "Weir", "Wold", "Woodland",
            "Coombe", "Stream",
        ]),
        Theme(words: [
            "Aldcote", "Ashwick", "Bramthorpe", "Brinworth", "Carrowby", "Clayhollow", "Cobblestead", "Dunlow", "Elverden", "Fennwick",
            "Foxenden", "Garthmere", "Hallowden", "Harcote", "Ickenmoor", "Kelderby", "Lambsworth", "Larkenden", "Marlworth",
            "Netherlow", "Oakenthorpe", "Orlescombe", "Pellworth", "Quarlstead", "Ramswick", "Rowanmere", "Sallowby", "Selcombe",
            "Tarnworth", "Thornstead", "Uppercote", "Valewick", "Wendcote", "Winterden", "Wolds End", "Yarlcombe",
        ]),
        Theme(words: [
            "Anvil", "Bellringer", "Beekeeper", "Bookseller", "Carpenter", "Coachman", "Coppersmith", "Ferryman", "Fiddler", "Forester",
            "Gardener", "Gatekeeper", "Glassblower", "Goldsmith", "Huntsman", "Lacemaker", "Lamplighter", "Lighterman", "Locksmith",
            "Luthier", "Maltster", "Miller", "Minstrel", "Night Watchman", "Organist", "Piper", "Ploughman", "Postmaster", "Saddler",
            "Shipwright", "Silversmith", "Smith", "Spinner", "Stonemason", "Thatcher", "Town Crier", "Waterman", "Weaver", "Wheelwright",
            "Woodcutter",
        ]),
        Theme(words: [
            "Badger", "Beaver", "Deer", "Dormouse", "Fawn", "Fox", "Hare", "Hart", "Hind", "Leveret", "Lynx", "Marten", "Otter",
            "Roebuck", "Squirrel", "Stag", "Stallion", "Unicorn", "Griffin", "Phoenix", "Dragon", "Lion", "White Hart", "Golden Lion",
            "Red Deer", "Black Bear", "Grey Horse", "Bay Horse", "Antelope", "Gazelle", "Swan", "Eagle", "Falcon", "Peacock", "Salmon",
            "Trout",
        ]),
    ]

    static let deadEndEndings = ["Close", "Court", "Mews", "Croft", "End", "Nook"]
    static let curvedEndings = ["Crescent", "Drive", "Bend", "Way"]
    static let shortEndings = ["Place", "Terrace", "Walk", "Row", "Gardens", "Lane", "Street", "Grove"]
    static let middleEndings = ["Street", "Road", "Street", "Avenue", "Grove", "Way", "Lane", "Street"]
    static let longEndings = ["Road", "Avenue", "Street", "Way", "Road", "Drive"]
}
