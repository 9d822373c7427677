// What a server gets of <askance-question>: nothing is asked there, and nothing is drawn. The page that it
// renders has the tag, which the browser's own script makes one that asks.

export class AskanceQuestion {
  static forget() {}

  static speak() {}
}
