import type { LanguagePhrases } from '../language-phrases.ts'

export const DE: LanguagePhrases = {
  slots: {
    person:
      '(?:(?:mein|meine|meinen|meiner|unser|unsere|unserer|der|die|das|den|ein|eine|sein|ihr|ihre) (?:[a-z]+ )?(?:[a-z]*(?:mann|frau|mama|mutter|mutti|papa|vater|vati|sohn|tochter|baby|kind|junge|madchen|bruder|schwester|freund|freundin|oma|opa|nachbar|nachbarin|kollege|kollegin|mitbewohner|mitbewohnerin|partner|partnerin|ex|kumpel|person|typ|kleine|kleiner|onkel|tante|chef|enkel))|jemand|einer|er|sie|mama|papa|oma|opa)',
    who: '(?:ich|wir|{person})',
    fill: '(?:[a-z]+ ){0,4}?',
    pills:
      '(?:[a-z]+ ){0,3}?(?:tabletten|pillen|schlaftabletten|medikamente|[a-z]*pillen|[a-z]*tabletten|schmerzmittel|schlafmittel|drogen|insulin|paracetamol)',
  },
  phrases: {
    self_harm: [
      '(?:ich )?(?:will|mochte|wollte|wurde) (?:ich )?(?:einfach |nur |nur noch |gerne? |am liebsten |endlich |jetzt |doch |wirklich |nicht mehr aufwachen und )*(?:sterben|tot sein)(?! vor)|ich ware (?:lieber |am liebsten |gern )?tot|ich will (?:wirklich |einfach |so )*nicht mehr (?:leben|da sein|aufwachen|weiterleben|existieren)|(?:will|mag|kann|mochte) (?:ich )?(?:einfach )?nicht mehr (?:leben|weiterleben|am leben sein)',
      '(?:will|werde|wollte|mochte|bringe?|wurde|denke daran|uberlege|versucht|droht|kurz davor) (?:{fill})(?:mich|sich|mir|uns) (?:[a-z]+ ){0,2}?(?:umbringen|um|das leben nehmen|toten|erhangen|aufhangen|zu toten|umzubringen|das leben zu nehmen|etwas antun|was antun|die pulsadern aufschneiden)(?! kummern| die ecke| zwei)|(?:ich )?bringe? mich (?:heute |jetzt |gleich |noch )*um|(?:ich )?(?:ritze|schneide|verletze) mich(?! an)|mich umbringen|mir das leben nehmen',
      '(?:bin|ist|sehr|akut|mich|sei) (?:[a-z]+ )?(?:suizidal|lebensmude|selbstmordgefahrdet|suizidgefahrdet)|(?:habe?|hab|hat|mit|starke|wieder) (?:[a-z]+ )?(?:suizidgedanken|selbstmordgedanken|suizidale gedanken)|(?:denke|denk|nachdenken|gedanken) (?:[a-z]+ )?(?:an|uber) (?:selbstmord|suizid)|(?:will|werde|mochte|wollte) (?:[a-z]+ ){0,2}?selbstmord begehen',
      '(?:mein(?:em)?|meinem|sein|ihr) leben (?:[a-z]+ )?(?:ein ende|beenden|zu beenden|nicht mehr lebenswert)|(?:hat|macht) (?:[a-z]+ ){0,2}?(?:alles )?keinen sinn mehr zu leben|(?:keinen|kein) (?:grund|sinn) (?:mehr )?(?:zu|am|im|zum) leben|ohne mich besser dran|(?:ich )?springe? (?:jetzt |gleich )?(?:von der|vom|vor den|vor die) (?:brucke|dach|zug|balkon|bahn)',
      'wie ?viele? {fill}(?:zum sterben|um zu sterben|sind todlich|ist todlich|um (?:mich|sich) (?:umzubringen|zu toten)|fur eine uberdosis|wirken todlich|bringen (?:mich|einen) um)|(?:galgenknoten|schlinge (?:binden|knupfen))|todliche dosis|(?:schmerzlos|schnell|am schnellsten|am besten|schmerzfrei) (?:sterben|umbringen)|wie (?:bringe?|kann|nehme) ich (?:mich um|mich umbringen|mir das leben)',
    ],
    poisoning: [
      '{who} {fill}(?:uberdosis|vergiftet|vergiftung|uberdosiert)(?! im)|(?:hab|habe|hat) (?:eine )?uberdosis',
      '(?:hab|habe|hat|haben) {fill}(?:zu viele|zuviele|zu viel|zuviel|alle|eine ganze|eine handvoll|die ganze packung|eine packung|ganze packung|viele|[0-9]{2,}) {pills}',
      '(?:hab|habe|hat|haben) {fill}(?:[a-z]*reiniger|bleiche|bleichmittel|gift|rattengift|frostschutzmittel|spulmittel|waschmittel|batterie|knopfbatterie|[a-z]*batterie|entkalker|chlor|saure|benzin|giftige [a-z]+|[a-z]*pilze|spulmaschinentabs?|desinfektionsmittel|lampenol|putzmittel|medikamente von oma) (?:getrunken|verschluckt|gegessen|geschluckt|eingeatmet|ausgetrunken)',
    ],
    acute_illness: [
      '(?:atmet|atme) (?:[a-z]+ )?(?:nicht|kaum|nicht mehr)|(?:bekomme?|kriege?|bekommt|kriegt) (?:[a-z]+ )?(?:keine|kaum|schlecht|fast keine) luft|(?:kann|konnen) (?:[a-z]+ )?(?:nicht|kaum|nicht mehr) atmen|(?:keinen|kein) puls|erstickt?e?(?! an)|verschluckt und bekommt',
      '(?:hab|habe|hat|bekommt|erleidet|ist ein|wie ein) (?:[a-z]+ ){0,2}?(?:herzinfarkt|schlaganfall|herzstillstand|krampfanfall|epileptischen anfall|asthmaanfall|anaphylaktischen schock|allergischen schock)(?! gehabt| letztes)|(?:hab|habe|hat|starke|schlimme|heftige) (?:[a-z]+ ){0,2}?(?:brustschmerzen|schmerzen in der brust)|(?:brauche?n?|ruft|rufen sie|schickt|schicken sie|bitte) (?:[a-z]+ ){0,2}?(?:krankenwagen|rettungswagen|notarzt)(?! rechnung| kosten)',
      '(?:ist|bin|liegt|wurde|wird) {fill}(?:bewusstlos|ohnmachtig|nicht ansprechbar|zusammengebrochen|umgekippt|kollabiert|nicht bei bewusstsein|angefahren|ertrunken|vom dach gefallen|die treppe (?:runter|hinunter)gefallen|aus dem fenster gefallen)|{person} (?:wacht nicht (?:mehr )?auf|reagiert nicht(?: mehr)?|ertrinkt|stirbt|krampft)|(?:blutet?|blute) (?:[a-z]+ )?(?:stark|sehr|heftig|extrem|nicht auf)|hort nicht auf zu bluten|verblutet?e?|ich sterbe(?! vor| fur)|fruchtblase ist geplatzt',
    ],
    fire: [
      'es brennt(?: |$)(?!nur|mir|unter)|(?:haus|wohnung|kuche|auto|garage|dach|gebaude|zimmer|hutte|keller|buro|schule|herd|bett|bude|scheune|nachbarhaus|bei mir|bei uns) (?:[a-z]+ )?(?:brennt|in flammen|voller rauch|steht in flammen)|brennt (?:es )?(?:das|mein|meine|unser|unsere|die|der) (?:haus|wohnung|kuche|auto|dach|keller)|feuer (?:in|im) (?:meiner|unserer|der|meinem|unserem|meine)? ?(?:haus|wohnung|kuche|keller|zimmer|gebaude|treppenhaus)|(?:es riecht|riecht|rieche) (?:[a-z]+ ){0,4}?(?:nach )?gas|gasleck',
    ],
    violence: [
      '(?:{person}|jemand) (?:[a-z]+ )?(?:schlagt|wurgt|bedroht|verprugelt|vergewaltigt|verfolgt|attackiert|sticht|erschiesst|angreift|greift|misshandelt|tritt) (?:[a-z]+ )?(?:mich|uns|meine?n?|sie|ihn|jemanden?|auf mich|an)|(?:will|wollte|droht|versucht) (?:[a-z]+ )?(?:mich|uns|meine?n? [a-z]+|sie|ihn) (?:[a-z]+ ){0,2}?(?:umbringen|umzubringen|toten|zu toten|vergewaltigen|schlagen)|bringt mich um(?! den)',
      '(?:wurde|werde|bin|worden) (?:[a-z]+ ){0,4}?(?:vergewaltigt|uberfallen|angegriffen|niedergestochen|bedroht|verprugelt|zusammengeschlagen|entfuhrt|erstochen|angeschossen|verfolgt|geschlagen|gewurgt|eingesperrt)|(?:einbrecher|jemand|fremder|eindringling|mann) {fill}(?:bei (?:mir|uns) (?:eingebrochen|ein)|(?:in|im) (?:meinem|unserem|meiner|unserer|meine|mein|unser) (?:haus|wohnung|zimmer|garten)|bricht (?:[a-z]+ ){0,4}?ein)|bricht (?:[a-z]+ ){0,4}?ein (?:jemand)?|einbrecher (?:im|in)|(?:hat|mit|zieht) (?:[a-z]+ )?(?:ein messer|einer? (?:waffe|pistole|messer)|einem messer|eine (?:waffe|pistole)|einer pistole) ?(?!block|set|kaufen)|schlagt mich',
    ],
  },
}
