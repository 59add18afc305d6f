/** English function words of questions. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about actually am an and any anybody anyone anything are as at be because been being but by can cannot could d did didn do does ' +
    'doesn doing don done else ever every explain few for from go going got had has have having he hello her here hey hi him his how i ' +
    'if in into is isn it its just kindly let like ll m many may maybe me might more most much must my no not of on one only or other ' +
    'our out please quite re really s said say shall she should show so some somebody someone something such t tell than thank thanks ' +
    'that the their them then there these they thing things this those to too u under up ve very was way we well were what whats when ' +
    'where whether which while who whom whose why will with won would wouldn yes you your yours aren couldn shouldn'
  ).split(' '),
)

/** Words that are usually filler but sometimes the subject. They get a fraction of the weight. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  'after again all also ask each get getting give happen happens help know make mine need put use used using want without work works'.split(
    ' ',
  ),
)
