/// The style of a page: light or dark like the reader's system, for phones, desktops and paper.
enum PageStyle {
    static let text = """
        :root{color-scheme:light dark;--paper:#f6f5f2;--card:#fff;--ink:#1d1e20;--dim:#5c6066;--line:#d9d7d0;\
        --bad:#b3261e;--badpaper:#fbe9e7;--good:#1b7340;--goodpaper:#e6f4ea;--mild:#8a5a00;--mildpaper:#fdf1d8;\
        --k0:#2563c9;--k1:#8145c9;--k2:#0f7f86;--k3:#a8531b;--code:#f1f0ec}
        @media(prefers-color-scheme:dark){:root{--paper:#151618;--card:#1e2023;--ink:#e9e8e4;--dim:#a2a6ad;\
        --line:#3a3d42;--bad:#ff8a80;--badpaper:#3b2422;--good:#79d196;--goodpaper:#1d3526;--mild:#f0be63;\
        --mildpaper:#3a2f1a;--k0:#7fb0ff;--k1:#c79bff;--k2:#5fd0d6;--k3:#f0a36b;--code:#282a2e}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:anywhere;\
        font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
        main{max-width:1200px;margin:0 auto;padding:24px 16px 48px}
        h1{font-size:26px;line-height:1.25;margin:0 0 6px;text-wrap:balance}
        h2{font-size:20px;line-height:1.3;margin:0 0 4px}
        h3{font-size:15px;margin:22px 0 8px}
        p{margin:0 0 8px}
        a{color:inherit}
        code,pre,svg{font-family:ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",Consolas,monospace}
        code{font-size:.88em;background:var(--code);padding:1px 4px;border-radius:4px}
        .dim{color:var(--dim);font-size:14px}
        .word{font-weight:650}
        .failed,.error{color:var(--bad)}.passed,.held{color:var(--good)}.incomplete,.warning,.unknown{color:var(--mild)}
        .note,.excused,.skipped{color:var(--dim)}
        .card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px;margin:18px 0}
        .banner{border-left:6px solid var(--dim)}
        .banner.failed{border-left-color:var(--bad)}.banner.passed{border-left-color:var(--good)}
        .banner.incomplete{border-left-color:var(--mild)}
        .banner.banner{color:var(--ink)}
        .counts{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;padding:0;margin:8px 0 0;color:var(--dim);\
        font-size:14px}
        .counts b{color:var(--ink)}
        .index{list-style:none;padding:0;margin:12px 0 0}
        .index li{display:flex;gap:10px;padding:3px 0}
        .index .word{flex:none;min-width:6.4em}
        .verdict{font-size:17px;margin:8px 0}
        .story>.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:18px 28px;margin-top:14px}
        @media(min-width:900px){.story>.columns{grid-template-columns:minmax(0,480px) minmax(0,1fr)}}
        figure{margin:0}
        svg{display:block;width:100%;max-width:480px;height:auto}
        figcaption{color:var(--dim);font-size:13px;margin-top:6px}
        ol.findings{list-style:none;padding:0;margin:0}
        ol.findings>li{border:1px solid var(--line);border-left:4px solid var(--mild);border-radius:6px;\
        padding:10px 12px;margin:0 0 10px}
        ol.findings>li.error{border-left-color:var(--bad);color:inherit}
        ol.findings>li.warning,ol.findings>li.note{color:inherit}
        ol.findings>li.note{border-left-color:var(--dim)}
        li:target,details:target{outline:2px solid var(--k0);outline-offset:2px}
        .number{display:inline-block;min-width:20px;padding:0 5px;border-radius:10px;text-align:center;font-size:12px;\
        line-height:20px;font-weight:700;background:var(--mild);color:var(--card);margin-right:6px}
        .error>.head>.number{background:var(--bad)}
        .head{font-weight:650;margin-bottom:4px}
        .findings p:last-child{margin-bottom:0}
        ul.plain{padding-left:20px;margin:6px 0}
        ul.plain li{margin:2px 0}
        details>summary{cursor:pointer}
        summary>h2{display:inline}
        details:not([open])>:not(summary){display:none}
        .list{margin-top:14px}
        .raw>details{border-top:1px solid var(--line);padding:5px 0}
        .raw summary code{background:none;padding:0}
        .raw pre{background:var(--code);border-radius:6px;padding:10px;margin:6px 0;font-size:12.5px;line-height:1.45;\
        white-space:pre-wrap;overflow-wrap:anywhere}
        .copy{display:block;padding:8px 10px;user-select:all;-webkit-user-select:all;white-space:pre-wrap}
        table{border-collapse:collapse;width:100%;font-size:14px;margin:6px 0}
        th,td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;border-bottom:1px solid var(--line)}
        th{font-weight:600;color:var(--dim)}
        td.n,th.n{text-align:right;width:5.6em;white-space:nowrap}
        .answer{display:inline-block;font-size:12.5px;border:1px solid var(--line);border-radius:4px;padding:0 5px;\
        margin:1px 3px 1px 0;color:var(--dim)}
        .answer.covered{background:var(--goodpaper);color:var(--good);border-color:transparent}
        .answer.unsound{background:var(--badpaper);color:var(--bad);border-color:transparent}
        th,.outcomes td:first-child{overflow-wrap:break-word}
        text{font-size:11px;fill:var(--ink)}
        text.lifeline{font-weight:700}
        text.time,text.token,text.badge{font-size:10px}
        text.time,text.gap,text.chip,text.gate{fill:var(--dim)}
        text.gap{font-style:italic}
        text.refused,text.failure{fill:var(--bad)}
        text.success{fill:var(--good)}
        text.granted{fill:var(--k0)}
        text.gate{fill:var(--mild)}
        text.mark{fill:var(--k2)}
        path{fill:none;stroke:var(--ink);stroke-width:1}
        path.lifeline{stroke:var(--dim)}path.axis{stroke:var(--line)}
        path.zigzag{stroke:var(--line)}path.rule{stroke:var(--k2);stroke-dasharray:1 3}
        path.response,path.broken{stroke-dasharray:4 2;stroke:var(--good)}
        path.bad{stroke:var(--bad)}path.cross{stroke-width:1.6}path.cap{stroke-width:1.6}
        path.bar{stroke-width:4;stroke-linecap:butt}path.bar.open{stroke-linecap:round}
        .k0 text{fill:var(--k0)}.k0 path{stroke:var(--k0)}.k1 text{fill:var(--k1)}.k1 path{stroke:var(--k1)}
        .k2 text{fill:var(--k2)}.k2 path{stroke:var(--k2)}.k3 text{fill:var(--k3)}.k3 path{stroke:var(--k3)}
        .life path.cross{stroke:var(--bad)}
        rect.busy{fill:var(--dim)}
        .badge rect{fill:var(--bad)}.badge.mild rect{fill:var(--mild)}
        .badge text{fill:var(--card);font-weight:700}
        svg a{text-decoration:none}svg a:hover text{text-decoration:underline}
        @media(max-width:640px){.map{display:block;overflow-x:auto}}
        @media(max-width:480px){main{padding:8px 6px 32px}.card{padding:10px 9px}h1{font-size:22px}}
        @media print{body{background:#fff;font-size:11pt}.card{border:0;padding:0;break-inside:auto}\
        ol.findings>li,.raw>details,svg g{break-inside:avoid}.raw{display:none}main{max-width:none;padding:0}}

        """

    /// Unfolds the story or exchange that a link leads to, and what it lies in.
    ///
    /// The page can be read without it.
    static let script = """
        addEventListener("hashchange",function(){var d=document.getElementById(location.hash.slice(1)),l=d;\
        while(l=l&&l.closest("details")){l.open=true;l=l.parentElement}if(d)d.scrollIntoView()})
        """
}
