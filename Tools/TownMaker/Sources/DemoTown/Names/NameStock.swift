/// The words from which the names of a town are made; no word names a person.
enum NameStock {
    // MARK: Towns, villages, quarters

    static let townBeginnings = [
        "Quill", "Sedge", "Osier", "Teasel", "Heron", "Lantern", "Saffron", "Otter", "Thistle", "Gannet", "Alder", "Copper", "Wren",
        "Larch",
        "Marl", "Bramble", "Curlew", "Amber", "Tansy", "Hazel", "Sorrel", "Willow",
    ]
    static let townEndings = ["haven", "mouth", "bridge", "minster", "holm", "ferry", "stade", "quay"]

    static let villageBeginnings = [
        "Barrow", "Cold", "Dapple", "Elder", "Fern", "Goose", "Hare", "Kestrel", "Linnet", "Mallow", "Nettle", "Oat", "Plover", "Rook",
        "Snipe", "Tawny", "Umber", "Vetch", "Wool", "Yarrow", "Apple", "Bracken", "Clover", "Dew", "Flax", "Heath", "Juniper", "Lamb",
    ]
    static let villageEndings = ["cote", "combe", "den", "ley", "stead", "thorpe", "well", "wick", "worth", "hanger", "low", "mere"]

    static let quarterBeginnings = [
        "Brick", "Cherry", "Chalk", "Fox", "High", "Long", "Maple", "Mill", "Orchard", "Pear", "Quarry", "Rose", "Sand", "Spring",
        "Stone", "Sun", "Swan", "Tanner", "Thorn", "Vine", "Water", "Wind", "Lark", "Bee", "Barley", "Oak", "Ivy", "Kiln",
    ]
    static let quarterEndings = ["field", "fields", "side", "croft", "bank", "moor", "heath", "green", "gate", "hurst", "end", "garth"]

    static let rivers = ["Wend", "Ousel", "Tarrow", "Merle", "Lirren", "Ashwater", "Sallow", "Venn", "Brindle", "Corrow"]
    static let lakes = ["Swan Mere", "Kingfisher Lake", "Lily Mere", "Heron Pool", "Mirror Lake", "Teal Water", "Bulrush Mere"]
    static let islands = ["Osier Holm", "The Eyot", "Millholm", "Swan Island", "Cooper's Eyot", "Long Holm"]
    static let brooks = [
        "Mill Brook", "Otter Brook", "Sedge Beck", "Clay Brook", "Heron Beck", "Willow Brook", "Cress Brook", "Long Beck", "Alder Brook",
    ]
    static let woods = [
        "Gallow Wood", "Fox Covert", "Ash Hanger", "Bluebell Wood", "Long Copse", "Badger Wood", "Owl Wood", "Charcoal Wood", "Hollow Wood",
        "Pheasant Covert", "Beech Hanger", "Sawpit Wood", "Cuckoo Wood", "Bramble Copse", "Deer Leap", "Oak Shaw", "Rook Wood",
        "Tinder Copse",
        "Windfall Wood", "Raven Wood", "Hazel Copse", "Broom Wood",
    ]

    // MARK: Planned roads

    static let gates = [
        "Millgate", "Saltgate", "Woolgate", "Corngate", "Minstergate", "Fishergate", "Tollgate", "Lampgate", "Hornergate", "Bellgate",
    ]
    static let avenues = [
        "Coach Road", "Old Salt Road", "Drovers' Way", "Turnpike Road", "Great West Road", "Long Causeway", "Mill Road", "Upland Road",
        "Milestone Road", "Beacon Road", "Windmill Road", "Packhorse Road",
    ]
    static let boulevards = [
        "Rampart Boulevard", "Bastion Boulevard", "Citadel Boulevard", "Arsenal Boulevard", "Glacis Boulevard", "Ravelin Boulevard",
        "Postern Boulevard", "Moat Boulevard",
    ]
    static let walls = [
        "Townwall Lane", "Watchtower Lane", "Bowyers' Wall", "Long Wall", "Turret Lane", "Sally Port Lane", "Half Moon Lane", "Powder Lane",
    ]
    static let innerRing = [
        "Chestnut Avenue", "Linden Avenue", "Plane Tree Avenue", "Hornbeam Avenue", "Copper Beech Avenue", "Elm Avenue", "Maple Avenue",
        "Acacia Avenue", "Catalpa Avenue", "Poplar Avenue", "Walnut Avenue", "Tulip Tree Avenue", "Sycamore Avenue",
    ]
    static let quays = [
        "Quay Street", "Herring Quay", "Timber Quay", "Wool Quay", "Merchants' Quay", "Coal Quay", "Lime Quay", "Corn Quay", "Hay Quay",
        "Cider Quay", "Ropewalk", "Swan Quay", "Packet Quay", "Slate Quay", "Capstan Quay", "Lantern Quay", "Ferry Quay", "Pilot Quay",
        "Netmakers' Quay", "Barge Quay",
    ]
    static let collectors = [
        "Orchard Road", "Quarry Road", "Brickfield Road", "Racecourse Road", "Waterworks Road", "Gasworks Road", "Nursery Road",
        "Windmill Hill Road", "Observatory Road", "Priory Road", "Limekiln Road", "Clay Pit Road", "Reservoir Road", "Common Road",
        "Long Acre Road", "Deer Park Road", "Vineyard Road", "Sandpit Road", "Beech Hill Road", "Tramway Road", "Old Airfield Road",
        "Tile Works Road", "Hop Ground Road", "Water Tower Road", "Springhead Road", "Ford Road", "Garden City Road", "Foundry Road",
        "Pound Road", "Lower Meadow Road", "Upper Meadow Road", "Paper Mill Road", "Glasshouse Road", "Cherry Hill Road",
        "Signal Hill Road",
    ]
    static let lanes = [
        "Drove Lane", "Hollow Way", "Green Lane", "Sheepwash Lane", "Harvest Lane", "Packway", "Ridge Lane", "Watery Lane", "Common Lane",
        "Stonepit Lane", "Haywain Lane", "Cuckoo Lane", "Dovecote Lane", "Larkrise Lane", "Furrow Lane", "Barn Lane", "Sunken Lane",
    ]
    static let squares = [
        "Corn Market", "Fish Market", "Hay Market", "Well Square", "Guild Square", "Poultry Cross", "Fountain Square", "Weigh House Square",
        "Lantern Square", "Cloth Fair",
    ]
    static let parks = [
        "Linden Park", "Meadow Park", "Orchard Park", "Rose Garden", "Bowling Green", "Kite Hill Park", "Hazel Park", "Bandstand Gardens",
        "Sundial Garden", "Quarry Gardens", "Willow Park", "Jubilee Green", "Chestnut Park", "Hillside Park", "Dell Park", "Sparrow Green",
        "Fern Garden", "Magnolia Park", "Waterworks Park", "Spring Gardens",
    ]
    static let cityParks = ["Deer Park", "Great Park", "Botanical Garden", "Pavilion Park"]
    static let wallGardens = [
        "Rampart Gardens", "Moat Gardens", "Bastion Gardens", "Glacis Gardens", "Citadel Gardens", "Postern Gardens", "Ravelin Gardens",
        "Arsenal Gardens",
    ]
    static let sports = ["Long Meadow Sports Ground", "Windmill Sports Ground", "Brickfield Sports Ground", "Heath Sports Ground"]
}
