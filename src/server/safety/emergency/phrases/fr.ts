import type { LanguagePhrases } from '../language-phrases.ts'

export const FR: LanguagePhrases = {
  slots: {
    person:
      '(?:(?:mon|ma|mes|notre|son|sa|le|la|un|une|l|cette|ce) ?(?:petit |petite |meilleur |meilleure )?(?:mari|femme|maman|mere|papa|pere|fils|fille|bebe|enfant|garcon|frere|soeur|ami|amie|copain|copine|grand mere|grand pere|grandmere|mamie|papi|voisin|voisine|collegue|conjoint|conjointe|compagnon|ex|homme|personne|monsieur|dame|type|colocataire|coloc|oncle|tante|patron)|quelquun|il|elle|on)',
    adv: '(?:[a-z]+ ){0,3}?',
  },
  phrases: {
    self_harm: [
      '(?:je )?(?:veux|voudrais|souhaite|aimerais|prefere|prefererais) (?:juste |vraiment |seulement |tellement |simplement )*(?:mourir|etre morte?|en finir|disparaitre pour toujours)(?! de (?:rire|faim))|jai envie de (?:mourir|me tuer|me suicider|me pendre|en finir)|envie de mourir|veut mourir|(?:je )?(?:ne )?(?:veux|peux|supporte) plus (?:vivre|continuer a vivre|de vivre|etre en vie|me reveiller|etre la)|plus envie de vivre',
      '(?:veux|vais|envie de|pense a|va|veut|voudrais|comment) me tuer|(?:me|se) (?:suicider|pendre|ouvrir les veines|donner la mort|foutre en lair|scarifier|jeter (?:du|sous|par|dans))(?! a)|(?:je me|il se|elle se) (?:suicide|tue|pends|pend|scarifie|mutile|fais du mal|coupe les veines)|me faire du mal|(?:mettre|mets) fin a (?:mes|ses|ma|sa) (?:jours|vie)',
      '(?:suis|est|etre|me sens) suicidaires?|(?:idees|pensees|envies) suicidaires?|(?:pense|penser|songe) (?:[a-z]+ )?(?:au suicide|a mourir|a me tuer|a en finir|a me suicider)|(?:lettre|mot) dadieu',
      '(?:aucune|plus de|plus aucune|pas de) raison de vivre|(?:serait|seraient|serez) mieux sans moi|vie ne vaut (?:pas |plus )(?:la peine|le coup)|sauter (?:du|dun|de la|dans|sous) (?:pont|toit|train|balcon|fenetre|metro)',
      'combien de [a-z ]{2,40}?(?:pour mourir|pour se tuer|pour me tuer|mortelle?s?|pour une overdose|pour en finir)|faire un noeud coulant|noeud de pendu|dose (?:mortelle|letale)|(?:comment|facon de|moyen de|maniere de) (?:[a-z]+ ){0,3}?(?:mourir|me tuer|se tuer|se suicider|me suicider|me pendre|se pendre)',
    ],
    poisoning: [
      '(?:fait|fais|jai fait|dune|en) (?:une )?(?:overdose|surdose)|(?:(?:jai|a|ai|est|suis|sest|etre|me suis) (?:ete )?)(?:intoxique|intoxiquee|empoisonne|empoisonnee|intoxication au monoxyde)',
      '(?:jai|a|ai|viens de|vient de|avons) {adv}(?:pris|avale|prendre|avaler|mange|gobe) (?:trop de|tous|toutes|toute|plein de|beaucoup de|une boite|la boite|un tube|une plaquette|[0-9]{2,}|trente|vingt) ?(?:[a-z]+ ){0,5}?(?:medicaments|cachets|comprimes|pilules|somniferes|doliprane|paracetamol|pastilles|antidepresseurs|drogue)',
      '(?:jai|a|ai|vient de|viens de|avons) {adv}(?:bu|avale|boire|avaler|mange|ingere|respire) (?:[a-z]+ ){0,4}?(?:javel|deboucheur|poison|mort aux rats|antigel|lessive|pile|pile bouton|produit [a-z]+|detergent|desherbant|acide|detartrant|essence|champignons? veneneux|champignons? toxiques?|alcool a bruler|nettoyant|white spirit)',
    ],
    acute_illness: [
      '(?:ne )?respire (?:plus|pas|mal|plus du tout)|(?:arrive|peux|parviens|arrive) (?:pas|plus|peine)(?: a)? respirer|narrive (?:pas|plus) a respirer|(?:na|a) (?:plus|pas) de pouls|du mal a respirer|setouffe|metouffe|etouffe|coeur sest arrete',
      '(?:fais|fait|faire|avoir|viens davoir|vient davoir|cest|jai) (?!.*il y a (?:un|deux|trois|des|[0-9]))(?:une crise cardiaque|un infarctus|un avc|un arret cardiaque|une crise depilepsie|une crise dasthme|une reaction allergique|un choc anaphylactique|un malaise|des convulsions)|(?:mal|douleurs?) (?:[a-z]+ )?(?:a|dans|dans la|a la) (?:la )?poitrine|(?:appelez|appeler|besoin|envoyez|faut) (?:[a-z]+ )?(?:une ambulance|dune ambulance|le samu|les secours)',
      '(?:est|suis|sest|a|me suis|est tombee?) (?:[a-z]+ ){0,2}?(?:inconsciente?|evanouie?|effondree?|perdu connaissance|sans connaissance|perd connaissance|electrocutee?|noyee?|tombee? du toit|tombee? dans (?:lescalier|les escaliers)|renversee? par une voiture)|se noie|ne (?:se reveille|reagit|bouge|repond) (?:plus|pas)|se reveille (?:pas|plus)|saigne (?:beaucoup|enormement|abondamment|sans arret|trop|fort)|(?:je suis en train de mourir|est en train de mourir)|je vais mourir(?! de)|perdu les eaux|je meurs(?! de)',
    ],
    fire: [
      '(?:maison|appartement|cuisine|immeuble|voiture|garage|toit|chambre|bureau|ecole|batiment|hotel|lit|cave|magasin|four)s? (?:est |a |sont |ont )?(?:[a-z]+ )?(?:en feu|brule|pris feu|en flammes|prend feu)|(?:il y a|y a) (?:[a-z]+ )?(?:le feu|un incendie|un feu|une fuite de gaz)|(?:au feu|le feu (?:a|dans|chez)|incendie (?:dans|chez|a)) (?:ma|mon|notre|la|le|moi|nous)|(?:sens|sent|odeur|une odeur) (?:[a-z]+ ){0,4}?(?:le |de )?gaz|fuite de gaz',
    ],
    violence: [
      '{person} (?:[a-z]+ )?(?:me|nous) (?:[a-z]+ )?(?:frappe|bat|tape|agresse|menace|etrangle|suit|viole|poursuit|tue|tuer|sequestre|attaque|frapper|violer|agresser|frappee|battue)|{person} (?:frappe|bat|etrangle|poignarde|agresse|attaque|veut tuer) (?:ma|mon|sa|son|la|le|une?) (?:[a-z]+)|(?:il|elle|on|ils|veut|essaie de|menace de) (?:va |vont )?(?:me|nous) tuer',
      '(?:jai ete|je me suis fait|on ma|on vient de me|je viens detre|je suis|ma fille a ete|on a ete|etait) (?:[a-z]+ )?(?:violee?|agressee?|poignardee?|attaquee?|kidnappee?|enlevee?|battue?|frappee?|menacee?|sequestree?|suivie?|tabassee?)(?! en salle| par mon medecin)|(?:quelquun|cambrioleur|voleur|inconnu|homme|intrus|on) (?:[a-z]+ ){0,4}?(?:entrer|rentre|entre|entree?|forcer|defonce|casse|cambriole|dans|chez) (?:chez|dans|la|ma|mon|notre|par) (?:moi|nous|maison|appartement|porte|chambre|jardin|ma|mon)|cambrioleurs? (?:[a-z]+ )?(?:dans|chez)|(?:a|avec|sort|tient) (?:un couteau|un pistolet|une arme|un flingue|un fusil)',
    ],
  },
}
