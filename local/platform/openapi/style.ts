/** What the page looks like; it has no other. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f6f7f9, #22252a); --dim: light-dark(#555, #aaa) }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; display: grid; grid-template-columns: 22rem minmax(0, 1fr); font: 15px/1.5 system-ui, sans-serif }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); background: var(--soft); font-size: 12.5px }
nav a { display: block; padding: .1rem .3rem; color: inherit; text-decoration: none; border-radius: 4px; overflow-wrap: anywhere; padding-left: 4.2em; text-indent: -3.9em }
nav a:hover { background: var(--line) }
nav .tag, nav .record { padding-left: .3rem; text-indent: 0 }
nav .tag { margin-top: .8rem; font-weight: 600 }
main { padding: 1rem 2rem 40vh; max-width: 62rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h4 { margin: 1rem 0 .3rem }
article { margin: 1.5rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px }
article:target { outline: 2px solid #4a7dfc }
table { border-collapse: collapse; width: 100%; font-size: 13.5px }
td { padding: .25rem .6rem .25rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
td:first-child { width: 11rem }
td:last-child { color: var(--dim) }
td table td:first-child { width: 9rem }
.answers > tbody > tr > td:first-child { width: 4rem } .answers > tbody > tr > td:nth-child(2) { width: 13rem }
td b[title] { color: #d33; margin-left: .2em }
h3, p, li { overflow-wrap: anywhere }
code { font: .92em ui-monospace, monospace; background: var(--soft); padding: 0 .25em; border-radius: 3px }
i { font: 600 .75em ui-monospace, monospace; display: inline-block; min-width: 4.6em; text-indent: 0 }
.GET { color: light-dark(#06703a, #5fce95) } .POST { color: light-dark(#1d4fc4, #86aaff) } .DELETE { color: light-dark(#b3261e, #ff8a80) }
.without, .chosen { color: var(--dim); font-size: 13.5px }
.without { border-top: 1px dashed var(--line); padding-top: .4rem }
@media (max-width: 60rem) { td:first-child, td table td:first-child, .answers > tbody > tr > td:first-child, .answers > tbody > tr > td:nth-child(2) { width: auto } article { padding: .5rem } body { display: block } nav { position: static; height: 40vh } main { padding: 1rem } }
`
