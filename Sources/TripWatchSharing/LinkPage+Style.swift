extension LinkPage {
    /// The style sheet. The basic layout is for phones. In windows at least 60em wide, the map is beside the text.
    static let style = """
        :root{--paper:#fbfaf7;--ink:#1c2126;--quiet:#5d6770;--line:#dcdcd6;--lamp:#b4470e;--buoy:#0b6b5c;--flare:#b3261e;--raised:#fff}
        @media(prefers-color-scheme:dark){:root{--paper:#11161c;--ink:#e6e9ec;--quiet:#98a3ad;--line:#2a333c;--lamp:#f4a259;--buoy:#5ec9b4;\
        --flare:#ff8a7a;--raised:#182028}}
        *{box-sizing:border-box}[hidden]{display:none!important}
        body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;\
        font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
        .vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        header{display:flex;gap:.5rem 1rem;align-items:baseline;justify-content:space-between;flex-wrap:wrap;padding:.9rem 1.1rem .2rem}
        h1{font-size:1.05rem;font-weight:600;margin:0}
        #fresh{margin:0;color:var(--quiet);font-size:.95rem;white-space:nowrap}#fresh b{color:var(--ink);font-weight:600}
        .dot{display:inline-block;width:.55em;height:.55em;border-radius:50%;border:2px solid var(--quiet);margin-right:.4em}
        .dot.live{background:var(--buoy);border-color:var(--buoy)}.dot.quiet{border-color:var(--buoy)}
        .dot.not_live{border-color:var(--lamp)}.dot.offline,.dot.stopped{background:var(--flare);border-color:var(--flare)}
        main{display:grid;gap:1rem;padding:0 1.1rem}
        #hero .what{margin:.4rem 0 0;color:var(--quiet);font-size:1.05rem}
        .big{display:block;font-size:clamp(4.4rem,24vw,6.5rem);line-height:1.02;font-weight:700;letter-spacing:-.03em;color:var(--lamp)}
        .big small{font-size:.36em;font-weight:600;letter-spacing:0;color:var(--ink)}
        .big.long{font-size:clamp(2.2rem,11vw,3.4rem);line-height:1.15}
        #hero .at{margin:.15rem 0 0;font-size:1.35rem}
        #map{margin:0 -1.1rem;border-block:1px solid var(--line);background:var(--raised)}
        #map:empty{display:none}
        #map img{display:block;width:100%;height:auto}
        .banner{margin:0 0 .8rem;padding:.6rem .8rem;border:1px solid var(--flare);border-left-width:.4rem;border-radius:.4rem;\
        background:var(--raised)}
        body>.banner{margin:.6rem 1.1rem}
        .way{display:flex;gap:.8rem;align-items:center;font-weight:600}
        progress{appearance:none;flex:1;height:.55rem;border:0;border-radius:.3rem;background:var(--line);overflow:hidden}
        progress::-webkit-progress-bar{background:var(--line)}
        progress::-webkit-progress-value{background:var(--lamp)}progress::-moz-progress-bar{background:var(--lamp)}
        ol{list-style:none;margin:1rem 0;padding:0}
        li{position:relative;display:flex;justify-content:space-between;gap:1rem;padding:.3rem 0 .3rem 1.6rem;color:var(--quiet)}
        li>span:last-child{white-space:nowrap}
        li::before{content:"";position:absolute;left:.2rem;top:.75em;width:.7rem;height:.7rem;border-radius:50%;border:2px solid var(--quiet);\
        background:var(--paper);z-index:1}
        li:not(:last-child)::after{content:"";position:absolute;left:.5rem;top:1.2em;bottom:-.8em;width:2px;background:var(--line)}
        li.done::before{background:var(--quiet)}li.goal::before{border-radius:.1rem;border-color:var(--ink);background:var(--ink)}
        li.now{color:var(--ink);font-weight:650}li.now::before{border-color:var(--lamp);background:var(--lamp);box-shadow:0 0 0 .22rem \
        color-mix(in srgb,var(--lamp) 25%,transparent)}
        li.next,li.goal{color:var(--ink)}
        .card{border:1px solid var(--line);border-radius:.6rem;padding:.7rem 1rem;background:var(--raised)}
        .card h2{margin:0;font-size:.9rem;font-weight:500;color:var(--quiet)}.card p{margin:.1rem 0 0}
        .plate{font-size:1.5rem;font-weight:700;letter-spacing:.12em}
        footer{padding:1rem 1.1rem 1.6rem;color:var(--quiet);font-size:.9rem}
        .ended{min-height:70vh;place-content:center;text-align:center;font-size:1.2rem}
        @media(min-width:60em){
        body{min-height:100vh;display:grid;grid-template-rows:auto auto 1fr auto}
        header,footer,main{width:100%;max-width:86rem;margin:0 auto}
        header{padding:1.4rem 2rem .6rem}h1{font-size:1.3rem}footer{padding:1rem 2rem 1.6rem}
        main{grid-template-columns:minmax(0,1fr) 24rem;grid-template-rows:auto 1fr;gap:0 2rem;padding:0 2rem;align-content:start}
        main.ended{display:grid;grid-template-columns:1fr}
        #hero{grid-column:2;grid-row:1}#facts{grid-column:2;grid-row:2;margin-top:1.4rem}
        #map{grid-column:1;grid-row:1/3;margin:0;border:1px solid var(--line);border-radius:.8rem;overflow:hidden;align-self:start}
        .big{font-size:6.5rem}.big.long{font-size:3rem}}
        @media(prefers-reduced-motion:no-preference){progress::-webkit-progress-value{transition:width .6s}}
        @media print{:root{--paper:#fff;--ink:#000;--quiet:#444;--lamp:#000;--line:#999;--raised:#fff}#gone,#fresh .dot{display:none}\
        #map{break-inside:avoid}}
        """
}
