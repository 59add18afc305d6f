import type { LanguagePhrases } from '../language-phrases.ts'

export const IT: LanguagePhrases = {
  slots: {
    person:
      '(?:(?:mio|mia|il mio|la mia|nostro|nostra|suo|sua|il|la|un|una|lo|questo|questa) (?:[a-z]+ )?(?:marito|moglie|mamma|madre|papa|padre|figlio|figlia|bambino|bambina|neonato|fratello|sorella|amico|amica|fidanzato|fidanzata|ragazzo|ragazza|nonno|nonna|vicino|vicina|collega|compagno|compagna|ex|uomo|donna|signore|signora|persona|tizio|zio|zia|bimbo|bimba|capo|coinquilino|coinquilina)|unamica|unamico|qualcuno|lui|lei|luomo)',
    adv: '(?:[a-z]+ ){0,3}?',
  },
  phrases: {
    self_harm: [
      '(?:voglio|vorrei|desidero|preferirei|preferisco|vuole) (?:[a-z]+ )?(?:morire|essere mort[oa]|morto|farla finita|scomparire per sempre|sparire per sempre)(?! dal| dalle| di)|voglia di morire|non (?:voglio|posso|riesco|ce la faccio|vuole|ho) (?:[a-z]+ ){0,3}?(?:vivere|voglia di vivere|svegliarmi|esistere|essere viv[oa])(?! qui| in| con)|(?:la )?faccio finita',
      '(?:uccidermi|suicidarmi|ammazzarmi|impiccarmi|togliermi la vita|tagliarmi le vene|uccidersi|suicidarsi|ammazzarsi|togliersi la vita|impiccarsi|farmi del male)(?! dal)|(?:mi|si) (?:[a-z]+ )?(?:uccido|ammazzo|suicido|suicida|impicco|taglio le vene|tolgo la vita|sto tagliando|voglio uccidere|voglio ammazzare)(?! di| dalle)|mi taglio(?! i| la| un| il)',
      '(?:pensieri|tendenze|idee|istinti) suicid[aie]+|(?:sono|mi sento|e) (?:[a-z]+ )?suicida|(?:penso|pensando|pensato|pensa) (?:[a-z]+ )?(?:al suicidio|di morire|alla morte)|(?:lettera|biglietto) (?:di addio|daddio)',
      '(?:farla finita|mettere fine alla mia vita|porre fine alla mia vita)|(?:starebbero|stareste|staranno) meglio senza di me|(?:nessun|nessuna|alcun|piu) (?:motivo|ragione|ragioni) (?:per|di) vivere|la vita non (?:vale|ha senso)|(?:buttarmi|saltare|gettarmi|lanciarmi|mi butto|mi getto) (?:[a-z]+ )?(?:dal|da un|giu da|sotto|dalla|giu dal|sotto un|giu) ?(?:il |un |la )?(?:ponte|tetto|treno|balcone|finestra|palazzo)?',
      'quant[eio] [a-z ]{2,40}?(?:per morire|per uccidermi|per uccidersi|letal[ei]|mortal[ei]|per unoverdose|per suicidarsi)|nodo scorsoio|fare un cappio|dose (?:letale|mortale)|(?:come|modo|modi|maniera) (?:[a-z]+ ){0,3}?(?:uccidermi|suicidarmi|suicidarsi|morire senza|per morire|impiccarmi|uccidersi|mi uccido)',
    ],
    poisoning: [
      '(?:in|per) overdose da farmaci|(?:ha|ho|avuto|fatto|avendo) unoverdose|(?:e|sono|andato|andata) in overdose|(?:sono|e|stat[oa]|mi sono|si e|hanno) (?:[a-z]+ )?(?:avvelenat[oa]|intossicat[oa])',
      '(?:ho|ha|abbiamo) {adv}(?:preso|ingoiato|ingerito|mandato giu|inghiottito) (?:troppe|troppi|tutte|tutti|tante|una scatola|un flacone|tutta|[0-9]{2,}|trenta|venti|molte) ?(?:[a-z]+ ){0,3}?(?:pillole|pastiglie|medicine|farmaci|compresse|sonniferi|pasticche|gocce|tachipirina|droga)',
      '(?:ho|ha|hanno) {adv}(?:bevuto|ingoiato|ingerito|mangiato|inghiottito|inalato) (?:[a-z]+ ){0,4}?(?:candeggina|veleno|topicida|antigelo|detersivo|detergente|batteria|pila|varechina|acido|disgorgante|sgorgante|benzina|funghi velenosi|ammoniaca|solvente|anticalcare|diserbante|disinfettante)',
    ],
    acute_illness: [
      'non (?:sta )?(?:respira|respirando|respirano|respiriamo)|non (?:riesco|riesce) (?:[a-z]+ )?(?:a )?respirare|(?:non ha|senza|non sento il) (?:piu )?(?:battito|polso)|smesso di respirare|(?:sto|sta) soffocando|(?:fatico|fatica) a respirare|soffoca',
      '(?:ho|ha|avendo|avere|sia|sta avendo|ha appena avuto|e) (?:un |una |le )?(?:infarto|attacco di cuore|attacco cardiaco|ictus|arresto cardiaco|crisi epilettica|convulsioni|attacco dasma|reazione allergica|shock anafilattico)|(?:avendo|ha|ho|sia) (?:avuto )?uninfarto|(?:dolore|dolori|male|fitte) (?:[a-z]+ )?al petto|(?:chiamate|mandate|serve|bisogno di|chiama|manda) (?:[a-z]+ )?(?:unambulanza|ambulanza)',
      '(?:e|sono|si e|ha|sta|ho) (?:[a-z]+ )?(?:svenut[oa]|incosciente|priv[oa] di sensi|collassat[oa]|perso (?:i sensi|conoscenza)|perdendo (?:molto |tanto )?sangue|morendo|annegando|annegat[oa]|cadut[oa] dal (?:tetto|balcone)|cadut[oa] dalle scale|investit[oa])(?! di| dal ridere| dalla)|non (?:si sveglia|reagisce)|sanguin[aoe](?:ndo)? (?:molto|tanto|tantissimo|copiosamente|troppo)|(?:perde|perdo) (?:molto|tanto) sangue|rotte le acque|sto per morire(?! di)|sto morendo(?! di| dal)|non smette di sanguinare',
    ],
    fire: [
      '(?:casa|appartamento|cucina|palazzo|edificio|macchina|auto|garage|tetto|camera|stanza|ufficio|scuola|hotel|letto|forno|cantina|negozio)(?: mia)? (?:[a-z]+ ){0,2}?(?:in fiamme|a fuoco|bruciando|brucia|preso fuoco|pieno di fumo|piena di fumo)|(?:ce|scoppiato|vedo) (?:[a-z]+ )?(?:un )?(?:incendio|fuoco|una fuga di gas)|(?:va a fuoco|sta bruciando|brucia|ha preso fuoco) (?:la|il|casa|lappartamento|mia)(?! cd)|incendio (?:in|nella|nel|a) (?:casa|mia|mio|cucina|nostra)|unincendio|(?:odore|puzza) (?:[a-z]+ )?(?:di )?gas|fuga di gas|al fuoco',
    ],
    violence: [
      '{person} (?:[a-z]+ )?(?:mi|ci) (?:[a-z]+ )?(?:picchia|picchiando|picchiato|minaccia|minacciando|strangola|strangolando|segue|seguendo|insegue|violenta|violentato|attacca|aggredisce|aggredito|aggredendo|uccidere|ammazzare|colpisce|colpendo|accoltellato)|(?:vuole|sta per|vogliono|minaccia di|tenta di|cerca di) (?:uccidermi|ammazzarmi|ucciderci|violentarmi|picchiarmi|ucciderla)|mi (?:vuole|vogliono|sta|stanno) (?:uccidere|ammazzare|picchiando|seguendo|aggredendo|strangolando|minacciando)|(?:sta|stanno) (?:picchiando|strangolando|accoltellando|sparando|aggredendo)',
      '(?:sono|stat[oa]|hanno|mi) (?:[a-z]+ ){0,2}?(?:violentat[oa]|stuprat[oa]|aggredit[oa]|accoltellat[oa]|rapit[oa]|picchiat[oa]|minacciat[oa]|sequestrat[oa]|pestat[oa]|rapinat[oa]|inseguit[oa]|sparato)|(?:qualcuno|ladri|ladro|uno|intruso|sconosciuto|uomo) (?:[a-z]+ ){0,3}?(?:entrando|entrare|entrato|entrati|in|dentro|forzando|sfondando|introdotto) (?:in |a |la |nella |nel |di )*(?:casa|porta|mia|nostra|appartamento)|ladri in casa|(?:ha|con|impugna) (?:un coltello|una pistola|un arma|unarma|il coltello in)',
    ],
  },
}
