import type { PageLanguage } from '../../contract/page-languages.ts'

/** Requests for a person in a language, in the notation of `LanguagePhrases`. */
export interface PersonPhrases {
  slots: Readonly<Record<string, string>>
  asks: readonly string[]
  /** Sentences with one of these are about something else, or refuse a person. */
  not: readonly string[]
}

export const PERSON_PHRASES: Readonly<Record<PageLanguage, PersonPhrases>> = {
  en: {
    slots: {
      human:
        '(human|humans|human being|human (agent|operator|support|help|assistance|representative|adviser|advisor)|(real|actual|live|living) (human|person|people|agent|adviser|advisor|operator|representative|rep|chat|support|someone|somebody|human being)|flesh and blood)',
      staff:
        '({human}|person|someone|somebody|anyone|anybody|agent|agents|representative|rep|operator|adviser|advisor|staff|staff member|member of (your |the )?staff|employee|colleague|supervisor|manager|executive|librarian|clerk|consultant|expert|specialist|team|support( team| agent)?|customer (service|support|care)|(help|service) ?desk|front desk|reception)',
      beside: 'please|pls|plz|now|a|an|the|your|to|with|can|i|want|need|get|me|just|hi|hello|talk|speak|chat|contact|connect',
    },
    asks: [
      '(talk|speak|chat|connect me|connect us|connected|connect(?= (to|with) (a|an|the|your|any|some|real|live|human) )|connect(?= (to|with) (agent|someone|human|supervisor)) |transferred|forward|forwarded|switch|switched|escalate|put|pass|hand|handed|redirect|redirected|speaking|talking|chatting|transfer me|transfer us|transfer this) (this |it |me |us |directly |over |through |on |straight ){0,4}(to|with) ((a|an|the|your|any|some|one|of|real|another|different|actual|live|human|proper|competent|customer|service) ){0,4}{staff}(?! (portal|website|app|page|login|site|account|system|about (grief|my feelings)))',
      '(want|wanna|need|get|give|prefer|would like|id like|looking for|call|reach|contact|get hold of|ask|help from|answer from|reply from|hear from) (me |us )?(to see |to reach |to have |to get |to hear from |to ask |help from )?(a |an |some |the |your )?({human}|person)(?= (please|pls|now|asap|to (talk|speak|help|answer|chat)|who|that|here|not|instead|rather|on|or|and|today|immediately|agent|in|at|from your|$))|(get|give|put) me ((a|an|the|your|some|through to) ){0,4}(agent|representative|rep|operator|adviser|advisor|person|someone|somebody|supervisor|manager|employee|staff|librarian)',
      '((is|are) there|do you have|isnt there|can i (find|reach|get|have)) (a |an |some |any )?{staff} .. (talk|speak|chat|reach|ask|help|available|contact|turn to|call)|(anyone|anybody|someone|somebody) (real |there |here ){0,4}(i|who|that) (can|could|might) (i )?(talk|speak|chat|help)|{human} (available|there|on the line|to (talk|speak|chat|help|answer))|(is|are) (a |an )?{human} .. (available|online|there)',
      '(can|could|may|will|would) (someone|somebody|anyone|one of you|a person|an adviser|an agent|a human|{human}) (please )?(from .. )?(call|ring|phone|contact) (me|us)(?! (a|an|the|my|names?|stupid|when|if) )|(have|let|get) (someone|somebody|an adviser|an agent|a human) (please )?(call|ring|phone|contact) (me|us)|(can|could|will|would) (a |an )?({human}|agent|adviser) (please )?(help|answer|reply|look)|(call|ring|phone|contact) me back|(i )?(want|need|request|like|get|have) (to be called back|a call ?back|to get a call)|leave (a |you a )?message ?(.. (staff|team|someone|you|human|person|librarian)|$)|leave (a |you a )?message(?= $)',
      '(not|no more|instead of|rather than) (to |with )?(a |an |this |some )?(stupid |dumb )?(bot|robot|machine|computer|chatbot|ai) .. {staff}|{staff} .. (not|instead of|rather than) (to |with )?(a |an |this |some )?(stupid |dumb )?(bot|robot|machine|computer|chatbot|ai)|(dont|do not|wont|not|no longer) (want|wanna|like|wish)? ?(to )?(talk|speak|chat|deal|talking) (to|with) (a |an |this |some |the )?(stupid |dumb )?(bot|bots|robot|robots|machine|machines|computer|chatbot|ai)|(stop|enough|no) (with )?(the |this )?(bot|bots|robot|robots|chatbot|ai) .. {staff}',
      '«{human}|agent|live agent|operator|representative|real person|person|adviser|advisor|call ?back|live chat|staff member|customer service|customer support|ask a person|customer service agent|support agent|speak with someone|talk to agent|someone real»',
    ],
    not: [
      'do (i|we|you) (have|need|got|really need) to|(needs|wants|wanted|afraid|scared|shy|nervous|anxious) (to|of)|translate|how do (i|you) say|what does|(dont|do not|not|never|without|no need|rather not|didnt|wont) (want|need|like|wish|have|having|going|trying|to|able)? ?(to )?(talk|speak|chat|talking|speaking|connect|a|an|any|call|be called)(?! .. (bot|robot|machine|computer|chatbot|ai) )|how many|(am i|are you|are we|is this|r u|was i|were you|is it) (really |actually |now )?(a |an |talking|speaking|chatting|the )|(become|becoming|hire|hiring|estate|travel|insurance|letting|recruitment|secret|biological|cleaning|tax|job as|work as) (a |an )?(agent|operator|adviser|advisor|representative|manager|person|assistant|agents)|(my|his|her|their) (doctor|agent|adviser|advisor|manager|supervisor|operator|employee|person|lawyer|landlord|boss|representative)|(human|person|people|agent|operator|representative|staff) (rights|resources|trafficking|error|remains|body|rights|responsible|numbers|in charge|system|manual)',
    ],
  },
  de: {
    slots: {
      human:
        '(menschen?|mensch|(echte|echter|echten|echtem|richtige|richtiger|richtigen|wirkliche|wirklichen|reale|realen|lebende|lebenden|leibhaftigen?) (person|personen|menschen?|mensch|mitarbeiter|mitarbeiterin|mitarbeitern|ansprechpartner|ansprechpartnerin|berater|beraterin|leute)|menschlichen? (ansprechpartner|mitarbeiter|berater|hilfe|kontakt|agent|agenten|operator)|live ?chat|jemand(en|em)? (echtes|echten|echtem|richtigen))',
      staff:
        '({human}|person|jemand|jemanden|jemandem|mitarbeiter|mitarbeiterin|mitarbeitern|mitarbeitenden|sachbearbeiter|sachbearbeiterin|berater|beraterin|ansprechpartner|ansprechpartnerin|ansprechperson|kundenberater|kundenberaterin|kundendienst|kundenservice|kollegen|kollegin|bibliothekar|bibliothekarin|support|support ?mitarbeiter|service ?mitarbeiter|angestellten?|vorgesetzten?|chef|chefin|zentrale|personal|team|service|agent|agenten|operator|zuständigen?)',
      beside: 'bitte|mal|einen|ein|eine|einem|mit|ich|will|brauche|möchte|den|die|der|jetzt|sofort|hallo|nur|zu|zum|einer',
    },
    asks: [
      '(mit|an|zu|zum) ((einem|einer|einen|nem|ner|nen|dem|der|den|das|ihrem|ihren|ihrer|deinem|eurem|euren|eurer|ihr|euer|irgend|echten|richtigen|anderen|zuständigen|menschlichen|euch) ){0,4}{staff} .. (sprechen|reden|chatten|telefonieren|schreiben|verbinden|verbunden|unterhalten|quatschen|sprech|red|wenden|kontakt|durchstellen|durchgestellt|sprechen können|chat)|(einen|eine|den|die|ihren|ihre|euren|eure) ({human}|mitarbeiter|mitarbeiterin|chef|chefin|vorgesetzten|berater|beraterin|sachbearbeiter|ansprechpartner|zuständigen) (sprechen|fragen|erreichen)|(mich) .. (an|zu) ((einen|eine|einem|einer|den|die|ihren) ){0,3}{staff} .. (weiterleiten|weitergeleitet|durchstellen|weiterverbinden)|wie erreiche ich (einen |eine |jemanden |hier ){0,3}({human}|mitarbeiter|jemanden|person)|(hilfe|antwort) von (einem |einer )?{human}|(ist|gibt es) (da|hier|dort) (jemand|einen menschen|ein mensch|wer)(?= $)|(nicht|nimmer|keine lust) .. (mit|zu) .. (bot|roboter|maschine|computer|chatbot|ki|automaten) .. (sprechen|reden|schreiben|chatten|unterhalten)|(sprechen|reden|chatten|verbinden sie mich|verbinde mich|verbindung|kontakt|verbinden|verbindet mich|weiterleiten|weiterleitung|stellen sie mich|stell mich) .. (mit|an|zu|zum) ((einem|einer|einen|nem|ner|dem|der|den|ihrem|ihren|eurem|eurer|menschlichen|echten) ){0,4}{staff}',
      '(will|möchte|brauche|brauch|bräuchte|suche|gib|gibs|geben sie|gebt|hol|holen sie|hätte gern|hätte gerne|hätte lieber|kann ich|könnte ich|lieber|bekomme ich|bevorzuge|wünsche|rufen sie|ruf|schicken sie) (mir |mal |bitte |hier |jetzt |sofort |auch |gerne |lieber |endlich |nur ){0,4}(n |nen |ne |einen |eine |ein |einem |mit )?{human}(?= (bitte|sprechen|reden|ans|an die|an der|am|dran|hier|jetzt|sofort|erreichen|fragen|statt|und|oder|von euch|von ihnen|$))|(gib|geben sie|gebt|hol|holen sie|hol|schick|brauche|brauch|bräuchte|möchte|will) (mir |mal |bitte |jetzt |sofort |endlich ){0,4}(n |nen |ne |einen |eine |ein |den |die )?(mitarbeiter|mitarbeiterin|berater|beraterin|ansprechpartner|ansprechpartnerin|sachbearbeiter|sachbearbeiterin|kundenberater|bibliothekarin|bibliothekar|operator|vorgesetzten|chef)(?= (bitte|ans|her|sprechen|reden|sofort|jetzt|dran|erreichen|$))',
      '(gibt es|gibts|ist|sind|habt ihr|haben sie|arbeitet) .. (jemand|jemanden|{human}|mitarbeiter|person|ansprechpartner|berater) .. (sprechen|reden|helfen|erreichbar|da|verfügbar|mit dem|mit der|an den|an die|chatten|online|fragen|zu sprechen|wenden)|(jemand|person|mensch|mitarbeiter) (mit dem|mit der|an den|an die|der mir|die mir) ',
      '(kann|könnte|soll|würde|können|könnten|könntet|kannst|ruft|rufen|rufe|ruf) (mich |mir |ihr |sie |du )?(bitte |mal ){0,4}(jemand |ihr |sie |ein mitarbeiter |eine mitarbeiterin |ein mensch |wer )?(mich |mir |bitte |mal |dazu ){0,4}(.. )?(zurückrufen|zurück ?rufen|anrufen|zurück)|(rückruf|zurückgerufen) .. (bitte|erbeten|erwünscht|vereinbaren|bitten|wünsche|möchte|werden|haben)|(bitte|um|einen) rückruf|(nachricht|notiz) .. (hinterlassen|mitarbeiter|team|personal)|(kann|könnte) mir (mal |bitte |hier ){0,4}(ein mensch|ein mitarbeiter|eine mitarbeiterin|eine person|{human}) .. helfen',
      '(nicht|keinem|keinen|kein|statt|anstatt|anstelle) .. (bot|roboter|maschine|computer|chatbot|ki|automaten) .. {staff}|{staff} .. (nicht|kein|keine|keinen|keinem|statt) .. (bot|roboter|maschine|computer|chatbot|ki|automat|automaten)',
      '«{human}|einen menschen fragen|kundenservice|kundendienst|mitarbeiter|mitarbeiterin|berater|beraterin|ansprechpartner|operator|sachbearbeiter|rückruf|kundenberater|agent|echte person|person»',
    ],
    not: [
      '(angst|schüchtern|welche|wie hoch|übersetze|übersetz|auf französisch|auf englisch)|(nicht|nie|ohne|kein|keinen|keine|keinem|niemanden?) (mit |einen |einem |einer |von )?((mitarbeiter|menschen|person|berater|echten|richtigen|jemandem|jemanden|niemandem) )+.. (sprechen|reden|chatten|verbunden|brauche|brauch|nötig|angerufen|$)|(brauche|will|möchte) (keinen|kein|keine|nicht)(?! .. (bot|roboter|maschine|computer|ki|automaten) )|wie viele|(bist|sind|bin|ist) (du|sie|ich|das|dies) (eigentlich |hier |wirklich |gerade )?(ein|eine|einem|mit|denn|echter|mensch)|(werden|wie werde ich|versicherungs|bewerben|bewerbung als|ausbildung)|(mein|meine|meinem|meiner|meinen|unserem) (arzt|ärztin|berater|chef|vorgesetzten|anwalt|vermieter|sachbearbeiter|ansprechpartner|chefin|arbeitgeber)|menschen mit|(kontakt|alte|alten|behinderten|ältere|ältere) menschen',
    ],
  },
  fr: {
    slots: {
      human:
        '(humain|humaine|humains|(vrai|vraie|vrais|véritable) (personne|humain|être humain|conseiller|conseillère|agent|interlocuteur|gens|quelquun)|être humain|personne (réelle|physique|humaine|en chair et en os)|(agent|conseiller|opérateur|interlocuteur|assistant) humain|conseillère humaine|quelquun (de réel|de vrai|en vrai|dhumain))',
      staff:
        '({human}|personne|quelquun|qqun|qqn|conseiller|conseillère|conseillers|agent|agente|agents|opérateur|opératrice|téléconseiller|employé|employée|responsable|interlocuteur|interlocutrice|bibliothécaire|collègue|service client|service clients|service clientèle|support|assistance|équipe|standard|accueil|technicien|gestionnaire|membre du personnel|personnel|représentant|superviseur|manager)',
      beside:
        'svp|stp|sil vous plaît|sil te plaît|un|une|je veux|je voudrais|merci|bonjour|vite|parler|à|avec|le|la|maintenant|juste|besoin|dun|dune',
    },
    asks: [
      '(parler|discuter|échanger|causer|entretenir|dialoguer|chatter|tchatter|communiquer|mettre en (relation|contact|rapport)|mettez moi en (relation|contact|ligne)|mets moi en (relation|contact|ligne)|mis en (relation|contact)|mise en (relation|contact)|transférer|transférez moi|transférez|transfère moi|passer|rediriger|redirigez moi|diriger|connecter|contacter|joindre|relation) (directement |à nouveau |plutôt |en direct ){0,4}(avec|à|au|aux|vers)? ?((un|une|lun|le|la|vos|votre|de|des|dun|dune|dautre|autre|vrai|vraie|véritable|ton|tes|notre|nos|en) ){0,4}{staff}',
      '(veux|voudrais|souhaite|préfère|préférerais|besoin|aimerais|cherche|donnez moi|passez moi|passe moi|donne moi|appelez moi|trouvez moi|il me faut|faut) (avoir |voir |joindre |plutôt |absolument |parler à ){0,4}(dun |dune |un |une |lun de vos )?({human}|conseiller|conseillère|opérateur|opératrice|interlocuteur|téléconseiller)|(passez|passe|donnez|donne) moi (un |une |le |la |votre |lun de vos |quelquun)?({staff})?(?= )',
      '(y a t il|ya t il|y a til|il y a|ya til|est ce quil y a|avez vous|existe t il) (bien )?(une |un |des )?{staff} .. (parler|aider|discuter|joindre|répondre|qui je|à qui|avec qui|disponible|joignable|humain)|à qui (puis je|je peux|peut on|pourrais je) (parler|madresser)',
      '(pouvez vous|pourriez vous|peux tu|peut on|quelquun peut|quelquun pourrait|quelquun peut il|un conseiller peut|un agent peut|une personne peut|est ce quon peut|est ce que quelquun peut|pouvez) (il |t il |elle )?(me |maider )?(rappeler|rappeller|recontacter|contacter|téléphoner)|rappelez moi|recontactez moi|(être|etre) (rappelé|rappelée|recontacté|recontactée)|(demande|demander|demandez) (de |un |à être )?(rappel|rappelé|rappelée)|laisser (un |mon )?message .. (équipe|conseiller|agent|personnel|quelquun|vous|personne)|(un humain|une vraie personne|un conseiller|un agent) (peut|pourrait|peut il|pourrait il|peut elle) .. (maider|me répondre|aider)',
      '(pas|plutôt que|au lieu) (à |avec |dun |dune |dun |de |de parler à )?(un |une |ce )?(robot|bot|machine|chatbot|ordinateur|ia) .. {staff}|{staff} .. (pas|et non|plutôt que|au lieu) (à |de |avec |dun )?(un |une |ce )?(robot|bot|machine|chatbot|ordinateur|ia)|marre (de ce|du|des|de parler à un) (robot|bot|robots|bots|machine) .. {staff}',
      '«{human}|conseiller|conseillère|opérateur|opératrice|agent|un vrai|interlocuteur|rappel|téléconseiller|vraie personne|quelquun»',
    ],
    not: [
      '(ne|pas|sans|jamais) (veux |souhaite |voudrais |pas |envie |besoin )+(de |dun |dune |parler |être |un )|combien|(êtes vous|es tu|est ce que (vous êtes|tu es|je parle)|suis je|parle je|je parle|tes|vous êtes) (bien |vraiment |en train |avec |à ){0,4}(un |une |humain|de |avec |à )|(devenir|recruter|recrutement|embaucher|immobilier|assurance|de sécurité) ?(un |une |agent|conseiller|opérateur)?|(mon|ma|mes|son|sa|ses|leur|leurs) (médecin|conseiller|conseillère|agent|avocat|propriétaire|employeur|responsable|gestionnaire|manager|chef)|(droits|ressources|corps|genre|sciences) (de lhomme|humaines?|humain)|(personnes?) (à mobilité|âgées?|handicapées?|à charge|morale)',
    ],
  },
  es: {
    slots: {
      human:
        '(humano|humana|humanos|ser humano|(persona|gente|alguien) (real|humana|física|de verdad|de carne y hueso)|(agente|asesor|operador|asistente|representante|ejecutivo) (humano|real|en vivo)|asesora humana|atención humana|persona de verdad)',
      staff:
        '({human}|persona|alguien|agente|agentes|asesor|asesora|asesores|operador|operadora|operario|empleado|empleada|representante|ejecutivo|ejecutiva|responsable|encargado|encargada|funcionario|funcionaria|bibliotecario|bibliotecaria|técnico|supervisor|supervisora|personal|servicio al cliente|atención al cliente|atención ciudadana|soporte|equipo|trabajador|trabajadora|gestor|gestora|recepción)',
      beside: 'por favor|porfa|porfavor|un|una|quiero|necesito|hola|ya|ahora|con|hablar|el|la|a|me|pasa|solo',
    },
    asks: [
      '(hablar|hable|charlar|chatear|conversar|comunicar|comunicarme|comunícame|comuníqueme|comunicarse|contactar|contactarme|ponerme en contacto|ponerse en contacto|conectar|conectarme|conéctame|conécteme|transfiere|transfiéreme|transfiérame|transferir|transferirme|derivar|derivarme|derívame|deriva|pasar|pasarme|pásame|páseme|paseme|pasame|pasas|ponme|póngame|poner|ponerme|contacto|hablo) (directamente |ya |mejor |ahora ){0,4}(con|a)? ?((un|una|el|la|los|las|algún|alguna|otro|otra|uno|de|vuestro|su|sus|tu|tus|al|del|vuestra) ){0,4}{staff}',
      '(quiero|quisiera|necesito|prefiero|preferiría|busco|dame|deme|me gustaría|exijo|solicito|que me atienda|atiéndame|me atienda|atender|llama a|llame a) (que me atienda |hablar con |contactar con |ayuda de |tener |la atención de ){0,4}(un |una |a un |a una |de un |de una |mejor )?({human}|persona|asesor|asesora|operador|operadora|agente|representante)(?! (inmobiliario|inmobiliaria|de seguros|de la propiedad))',
      '(hay|existe|tienen|tenéis|tienes|habrá) (algún |alguna |un |una )?{staff} .. (hablar|ayudar|ayude|atender|atienda|atenderme|ayudarme|contactar|disponible|preguntar|quien|pueda)|con quién (puedo|podría|se puede|hablo) ?(hablar|contactar|comunicarme)?',
      '(me (puede|puedes|pueden|podéis|podría|podrían|podrías)|(puede|puedes|pueden|podéis|podría|podrían)( alguien| un agente| una persona| un asesor| ustedes)?|que alguien me|alguien (puede|podría|que)( me)?|alguien me puede|me) (llamar|llamarme|devolver la llamada|llame|llamen|llamáis|contactar|contactarme|contacten|atender|atenderme)|(llámame|llámenme|llamadme|llámeme)|(que|quiero que) me (llamen|llame|devuelvan la llamada|contacten|atienda|contacte)|(dejar|dejo|dejarle|dejarles) (un |mi )?(mensaje|recado) .. (personal|equipo|alguien|agente|ustedes|persona|bibliotecario|empleado|responsable|para)|solicitar (una )?llamada|(puede|podría|puede que) (una persona|un humano|un agente|{human}) .. (ayudarme|ayudar|atenderme|responderme)|me (ayude|atienda) (un |una )?{staff}',
      '(no|en vez de|en lugar de) (con |a |quiero |quiero hablar con |hablar con ){0,4}(un |una |este |el )?(bot|robot|máquina|chatbot|ordenador|computadora|ia) .. {staff}|{staff} .. (no|en vez de|en lugar de|y no) (con |a )?(un |una |este )?(bot|robot|máquina|chatbot|ordenador|computadora|ia)',
      '«{human}|asesor|asesora|operador|operadora|agente|persona|representante|llámame|llamada»',
    ],
    not: [
      '(no|sin|nunca|tampoco) (quiero|necesito|deseo|hace falta|quisiera|tengo|que|hay) (que |hablar|un |una |ningún |ninguna |me )|cuánt[oa]s|(eres|es usted|sois|soy|estoy hablando|estoy|esto es|hablo con) (con )?(un |una )?(humano|humana|robot|bot|persona|máquina|real)|(ser|hacerme|trabajar como|trabajo de|ser un|contratar|inmobiliario|inmobiliaria|de seguros|de la propiedad|comercial|de policía) ?(un |una )?(agente|asesor|operador|representante)?|(mi|su|mis|tu) (médico|médica|doctor|asesor|asesora|agente|abogado|gestor|gestora|jefe|jefa|casero|encargado|supervisor)|(derechos|recursos|cuerpo|género) humanos?|persona (mayor|mayores|jurídica|con|fallecida|autorizada|a cargo)',
    ],
  },
  it: {
    slots: {
      human:
        '(umano|umana|umani|essere umano|(persona|operatore|operatrice|agente|qualcuno|addetto) (reale|vera|vero|umano|umana|in carne e ossa)|(vera|vero) (persona|operatore|umano|essere umano)|persona fisica|assistenza umana)',
      staff:
        '({human}|persona|qualcuno|operatore|operatrice|operatori|addetto|addetta|impiegato|impiegata|consulente|agente|responsabile|funzionario|funzionaria|bibliotecario|bibliotecaria|rappresentante|assistente|assistenza|assistenza clienti|servizio clienti|personale|staff|ufficio|centralino|supporto|team|tecnico|collega|dipendente|supervisore|referente|incaricato)',
      beside: 'per favore|perfavore|un|una|uno|voglio|vorrei|ciao|salve|subito|con|parlare|il|la|a|grazie|mi|serve|ho|bisogno|di',
    },
    asks: [
      '(parlare|parlo|parlarne|chattare|discutere|conferire|comunicare|passarmi|passami|mi passi|mi passa|passate|passatemi|mettermi in contatto|mettetemi in contatto|mettimi in contatto|mettere in contatto|mi metta in contatto|mettermi in comunicazione|contattare|collegarmi|trasferirmi|trasferitemi|trasferiscimi|essere trasferito|essere trasferita|connettermi|connettimi|contatto|girami|girarmi|inoltrare) (direttamente |subito |piuttosto |per favore ){0,4}(con|a|al|ad|alla|allo|all)? ?((un|una|uno|il|la|lo|i|vostro|vostra|qualche|altro|vero|vera|di|dei|vostri|del) ){0,4}{staff}',
      '(voglio|vorrei|mi serve|serve|ho bisogno di|bisogno di|preferisco|preferirei|cerco|datemi|dammi|mi dia|desidero|fatemi parlare|fammi parlare|chiamate|chiama|esigo) (parlare con |parlare |sentire |avere |l ){0,4}(con |di )?(un |una |uno |qualcuno )?({human}|operatore|operatrice|addetto|consulente in carne|persona)(?! (immobiliare|giuridica|di fiducia))',
      '(c|ce|cè|esiste|avete|ci sono|cera|è disponibile) (è )?(qualche |un |una |uno )?{staff} .. (parlare|aiutare|aiutarmi|aiuti|rispondermi|rispondere|contattare|disponibile|chiedere|posso|possa|cui)|con chi (posso|potrei|si può) parlare|a chi (posso|potrei) (rivolgermi|parlare)',
      '(mi (può|potete|puoi|potreste|potrebbe)|(può|potete|puoi|potreste|potrebbe|possibile)( qualcuno| un operatore| una persona| un addetto)?|qualcuno (può|potrebbe|mi può|che)|essere|farmi) (mi )?(richiamare|richiamarmi|richiamato|richiamata|chiamarmi|chiamare|ricontattare|ricontattarmi|ricontattato|ricontattata|contattarmi)|(richiamatemi|ricontattatemi|richiamami|chiamatemi)|(chiedere|vorrei|richiedere) (di |una |un )?(richiamata|essere richiamato|essere richiamata)|lasciare (un |il mio )?messaggio .. (personale|staff|operatore|qualcuno|voi|addetto|team|bibliotecario|bibliotecaria|ufficio)|(può|potrebbe) (una persona|un umano|un operatore) .. (aiutarmi|aiutare|rispondermi)|(una persona|un operatore|un umano) (può|potrebbe|mi può) .. (aiutarmi|aiutare|rispondermi|rispondere)',
      '(non|invece di|piuttosto che|al posto di|e non) (con |a |parlare con |voglio parlare con ){0,4}(un |una |questo |il )?(bot|robot|macchina|chatbot|computer|ia) .. {staff}|{staff} .. (non|e non|invece di|anziché|piuttosto che) (con |a )?(un |una |questo )?(bot|robot|macchina|chatbot|computer|ia)',
      '«{human}|operatore|operatrice|addetto|consulente umano|agente|persona|persona vera|richiamata»',
    ],
    not: [
      '(non|senza|mai|neanche) (voglio|vorrei|ho|mi|serve|è|desidero|c|ce) ?(bisogno|serve|necessario|più)? ?(di )?(parlare|un|una|nessun|nessuno|essere|contattare)|quant[ie]|(sei|è lei|siete|sono|sto parlando|questo è|parlo) (con )?(davvero |veramente )?(un |una |il )?(umano|umana|robot|bot|persona|macchina|vero|operatore|essere)|(diventare|lavorare come|fare l|assumere|immobiliare|assicurativo|di commercio) ?(un |una )?(agente|operatore|consulente|addetto)?|(mio|mia|miei|suo|sua) (medico|consulente|agente|avvocato|capo|responsabile|referente|datore)|(diritti|risorse|corpo) uman[ieoa]|persona (giuridica|con|anziana|disabile|di fiducia|fisica)',
    ],
  },
  pt: {
    slots: {
      human:
        '(humano|humana|humanos|ser humano|(pessoa|alguém|gente|atendente|agente) (real|humana|humano|de verdade|de carne e osso|física)|atendimento humano|(atendente|agente|operador|assistente) (humano|humana))',
      staff:
        '({human}|pessoa|alguém|alguem|atendente|atendentes|agente|operador|operadora|funcionário|funcionária|responsável|representante|consultor|consultora|assistente|supervisor|supervisora|gerente|bibliotecário|bibliotecária|técnico|colaborador|colaboradora|suporte|equipe|equipa|atendimento|assistência|sac|apoio ao cliente|serviço de apoio|balcão|recepção)',
      beside: 'por favor|pfv|um|uma|quero|preciso|oi|olá|agora|já|com|falar|o|a|de|só|me|passa',
    },
    asks: [
      '(falar|fala|falo|conversar|converso|contactar|contatar|entrar em contato|entrar em contacto|em contato|em contacto|transferir|transfere|transfira|transferido|transferida|encaminhar|encaminha|encaminhe|encaminhado|conectar|conecta|conecte|passar|passa|passe|passem|ligar|colocar|chat|comunicar) (me |direto |diretamente |já |para falar |logo ){0,4}(com|para|pra|pro|a|ao|à)? ?((um|uma|o|a|os|as|algum|alguma|outro|outra|de|da|do|vosso|vossa|seu|sua|seus|teu|uns) ){0,4}{staff}',
      '(quero|queria|gostaria de|gostava de|preciso de|preciso|prefiro|me dá|me dê|dê me|dá me|chama|chame|chamem|quero ser atendido por|ser atendido por|ser atendida por|exijo|solicito) (falar com |ter |contato com |contacto com |ajuda de |atendimento de ){0,4}(um |uma |de um |de uma |o |por um |por uma )?({human}|atendente|operador|operadora|pessoa)(?! (jurídica|com deficiência|idosa|física))',
      '(há|ha|tem|existe|têm|terá) (aí |algum |alguma |um |uma ){0,4}{staff} .. (falar|ajudar|ajude|atender|atenda|disponível|contactar|contatar|perguntar|possa|quem|online)|com quem (posso|eu posso|poderia|é que posso|eu falo|se pode) ?(falar|conversar)?',
      '((pode|podem|poderia|poderiam|podes|dá para|tem como|alguém pode|alguém poderia|alguém|alguem pode|quero que|queria que|gostaria que)( alguém| um atendente| vocês| vcs| uma pessoa)?) (me )?(ligar|ligue|liguem|retornar|retorne|contactar|contatar|telefonar|telefonem|ligarem|ligar me|contactar me|atender|atenda)|(liguem|me liga|me ligue|me liguem|ligue me|ligar de volta|ligar me de volta|retornem|me retorne|ser contactado|ser contactada|me contate|me contatem|contactem me)|(deixar|deixo) (um |uma |o meu )?(recado|mensagem) .. (equipe|equipa|atendente|alguém|vocês|funcionário|pessoa|bibliotecária|responsável|para|pra)|(pode|poderia) (uma pessoa|um humano|um atendente|um funcionário) .. (me ajudar|ajudar|responder|ajudar me)',
      '(não|nao|em vez de|ao invés de) (com |a |quero |quero falar com |falar com ){0,4}(um |uma |este |esse |o )?(bot|robô|robo|robot|máquina|chatbot|computador|ia) .. {staff}|{staff} .. (não|nao|e não|e nao|em vez de|ao invés de) (com |a )?(um |uma |este |esse )?(bot|robô|robo|robot|máquina|chatbot|computador|ia)',
      '«{human}|atendente|operador|operadora|agente|pessoa|falar com atendente|atendimento humano|representante»',
    ],
    not: [
      '(não|nao|sem|nunca) (quero|preciso|desejo|gostaria|é|precisa|queria|há) ?(preciso|necessário)? ?(de |que )?(falar|um|uma|ninguém|nenhum|nenhuma|ser|me|ligar)|quant[oa]s|(você é|voce é|vc é|és|é você|tu és|estou|isto é|isso é|falo) ?(falando|a falar)? ?(com )?(um |uma )?(humano|humana|robô|robo|bot|pessoa|máquina|real|atendente)|(ser|virar|tornar me|trabalhar como|vaga de|contratar|imobiliário|de seguros|de viagens) ?(um |uma )?(agente|atendente|operador|consultor)|(meu|minha|seu|sua) (médico|médica|agente|consultor|consultora|advogado|chefe|gerente|supervisor|senhorio)|(direitos|recursos|corpo) humanos?|pessoa (jurídica|idosa|com|física|coletiva)',
    ],
  },
  ru: {
    slots: {
      human:
        '((живой|живого|живому|живым|живая|живую|живыми|реальный|реального|реальным|настоящий|настоящего|настоящим|обычным) (человек|человека|человеку|человеком|оператор|оператора|оператором|сотрудник|сотрудника|сотрудником|консультант|консультанта|консультантом|людьми|людей|специалист|специалистом)|живым|человек|человека|человеку|человеком|человечка|людьми)',
      staff:
        '({human}|оператор|оператора|оператору|оператором|операторами|операторов|сотрудник|сотрудника|сотруднику|сотрудником|консультант|консультанта|консультанту|консультантом|специалист|специалиста|специалисту|специалистом|менеджер|менеджера|менеджеру|менеджером|администратор|администратора|администратором|администратору|представителем|представителю|представителя|работник|работника|работником|работнику|кем нибудь|кем то|кому нибудь|кто нибудь|кого нибудь|кто то|поддержкой|поддержку|поддержки|службой поддержки|техподдержкой|техподдержку|библиотекарь|библиотекаря|библиотекарем|библиотекарю|руководителем|руководство|начальником|начальству|дежурным)',
      beside: 'пожалуйста|плиз|пж|дайте|дай|мне|нужен|нужна|хочу|с|на|срочно|здравствуйте|привет|можно|а|позовите|соедините|живого',
    },
    asks: [
      '(поговорить|говорить|пообщаться|общаться|связаться|свяжите|свяжи|связать|связь|соедините|соедини|соединить|соединиться|переключите|переключи|переключить|переключиться|переведите|переведи|перевести|переведите|побеседовать|проконсультироваться|чат|контакт|разговаривать|обратиться|написать|передайте|передать|направьте) (меня |мне |пожалуйста |напрямую |сразу |уже |лично |лучше |вопрос |диалог |чат |нас ){0,4}(с|со|на|к) ((вашим|вашими|вашего|каким|нибудь|каким то|любым|другим|другого|живым|нормальным|одним|из) ){0,4}{staff}',
      '(нужен|нужна|нужно|надо|хочу|требую|требуется|позовите|позови|позвать|дайте|дай|пригласите|подключите|подключи|вызовите|жду|мне бы|хотелось бы|можно|могу я) (мне |сюда |пожалуйста |поговорить с |к чату |к диалогу |уже |ответ |помощь |ответа |чтобы ответил ){0,4}({staff})(?! (по недвижимости|связи|вакансия))',
      '(есть|имеется|найдется|кто) (ли )?(здесь |тут |у вас |там ){0,4}(живой |живые |реальный |кто |какой ){0,4}(нибудь |то )?({staff}|люди|живые|человек)? ?(.. )?(с кем|кто (может|мог|бы)|к кому|который|поговорить|на связи|онлайн|живой|помочь)|с кем (я )?(можно|могу|мне) (.. )?(поговорить|связаться|пообщаться)|(живые|реальные) (люди|операторы|сотрудники) .. (есть|на связи|тут|здесь)|есть .. (живые|реальные) (люди|операторы|сотрудники)',
      '(перезвоните|перезвонить|перезвони|позвоните мне|наберите меня|обратный звонок|обратного звонка|перезвонили|перезвонит|свяжитесь со мной|связались со мной|напишите мне)|(оставить|передать) (сообщение|записку|вопрос) .. (сотрудник*|оператор*|команд*|персонал*|библиотекар*|специалист*|вам|менеджер*)|(может|могут|пусть|можно чтобы|чтобы) (мне )?(человек|живой человек|оператор|сотрудник|специалист) .. (помочь|помог|позвонить|позвонил|ответить|ответил|перезвонит|ответит|поможет)',
      '(не|а не|вместо) (с |к )?(ботом|бот|бота|роботом|робот|робота|машиной|программой|ии) .. {staff}|{staff} .. (а не|не|вместо) (с )?(ботом|бот|бота|роботом|робот|робота|машиной|машины|программой|ии)|(хватит|надоел|надоели) .. (бот|ботов|бота|робот|роботов|боты|роботы) .. {staff}',
      '«оператор|оператора|оператору|человек|человека|живого человека|консультант|консультанта|менеджер|менеджера|живой человек|живой оператор|специалиста|сотрудника|администратора»',
    ],
    not: [
      'не (хочу|нужен|нужна|нужно|надо|буду|хотел|хотела|хотелось|нуждаюсь|звоните|перезванивайте|соединяйте|переключайте|зовите|перезвоните)|сколько|(ты|вы|это|я) (правда |точно |вообще |сейчас |разве )?(человек|робот|бот|живой|реальный|настоящий|оператор|общаюсь|говорю|разговариваю)|(стать|работать|устроиться|вакансия|вакансии|работа|сменить|сменил|мой|моего|моим|моему|мобильный|сотовый|туристический|тур|связи) ?(оператор*|менеджер*|сотрудник*|специалист*|консультант*|врач*|администратор*)|(права|прав|правами|тело|трудовые) человека|человек (с|в|без|живёт|живет|умер)|оператор (связи|кадастров*|персональных)|(о|про|от|для|из|за|сын|одного|каждого|пожилого|пожилым) человек*',
    ],
  },
  ar: {
    slots: {
      human: '(انسان|إنسان|بشر|بشري|شخص (حقيقي|بشري|فعلي|حي)|موظف (حقيقي|بشري)|انسان حقيقي|إنسان حقيقي|آدمي|بني آدم|ادمي)',
      staff:
        '({human}|شخص|أحد|احد|حد|موظف|الموظف|موظفة|موظفين|الموظفين|موظفيكم|مسؤول|المسؤول|مسئول|مستشار|ممثل|ممثل خدمة العملاء|خدمة العملاء|خدمه العملاء|خدمة الزبائن|الدعم|الدعم الفني|فريق الدعم|الدعم البشري|وكيل|مشرف|مدير|المدير|أمين المكتبة|امين المكتبة|استعلامات|الاستعلامات|أحدكم|احدكم|شخصا|شخصًا|موظفا|الفريق|عامل)',
      beside: 'من فضلك|لو سمحت|لو سمحتم|رجاء|أريد|اريد|أبغى|ابغى|عايز|بدي|ممكن|الآن|الان|مرحبا|أحتاج|احتاج|فقط',
    },
    asks: [
      '(أتحدث|اتحدث|التحدث|تحدث|أتكلم|اتكلم|التكلم|أكلم|اكلم|أحكي|احكي|التواصل|أتواصل|اتواصل|تواصل|حولني|حوّلني|حولوني|تحويلي|تحويل|وصلني|وصلوني|توصيلي|أوصلني|اوصلني|اتصال|الاتصال|أتصل|اتصل|صلني|أخاطب|مخاطبة|الكلام|كلام|دردشة|الدردشة|ربطني|أدردش|تحولني|تحولوني|توصلني|توصلوني) (مباشرة |الآن |الان ){0,4}(مع|إلى|الى|ل|ب)? ?((أي|اي|أحد|احد|من|إلى|الى) ){0,4}(ل|ب|لل|بال)?{staff}',
      '(أريد|اريد|أحتاج|احتاج|أبغى|ابغى|أبي|ابي|ابغا|عايز|عاوز|عايزة|عاوزة|بدي|ودي|أفضل|افضل|اعطني|أعطني|اعطوني|هات|نادوا|أود|اود|محتاج|محتاجة|نبي|أطلب|اطلب) (أن |ان |التحدث |أتحدث |اكلم |أكلم |مساعدة |مساعدة من |رد من |الى |إلى |مع ){0,4}({human}|موظف|موظفة|شخص|موظفا|شخصا|خدمة العملاء|خدمه العملاء)(?! (قانوني|ذو|معاق))',
      '(هل|في|فيه|ممكن|أليس|اليس|ما) (يوجد |هناك |في |فيه |عندكم |لديكم ){0,4}(أي |اي )?({staff}) .. (أتحدث|اتحدث|أكلم|اكلم|أتكلم|اتكلم|يساعدني|مساعدتي|يرد|يجيب|أسأله|متاح|موجود|معه|يكلمني|يفيدني|يخدمني|التحدث|أتواصل|اتواصل)|(مع من|من الذي|مين) (يمكنني |أستطيع |استطيع |اقدر |أقدر |ممكن )?(أتحدث|اتحدث|التحدث|أتكلم|اتكلم|أكلم|اكلم|التواصل|أتواصل)|(يوجد|هناك|في|فيه) {human}',
      '(اتصلوا بي|اتصل بي|اتصلو بي|اتصلوا علي|كلموني|كلمني|تواصلوا معي|عاودوا الاتصال|معاودة الاتصال|يتصل بي|يتصل علي|يتصلوا بي|تتصلوا بي|تكلموني|يكلمني|يتواصل معي|تتواصلوا معي|إعادة الاتصال|اعادة الاتصال|مكالمة)|(أترك|اترك|ترك) (لكم |رسالة |رساله ){0,4}.. (للموظفين|للموظف|لفريق|رسالة|للفريق|لأحد|للمسؤول)|(هل يمكن|ممكن|يمكن) (ل)?(موظف|لموظف|لإنسان) .. (مساعدتي|يساعدني|أن يساعدني|الرد|يرد)',
      '(ليس|مش|لا|بدل|مو) (مع |إلى |الى )?(روبوت|الروبوت|بوت|البوت|آلة|اله|الآلة|ذكاء) .. {staff}|{staff} .. (ليس|وليس|مش|لا|ولا|بدل|مو) (مع |إلى |الى )?(روبوت|الروبوت|بوت|البوت|آلة|الآلة|ذكاء)',
      '«{human}|موظف|خدمة العملاء|خدمه العملاء|شخص حقيقي|ممثل خدمة العملاء|شخص»',
    ],
    not: [
      '(لا|ما|لست|مش|لم|بدون|ماابغى|مابي) (أريد|اريد|أحتاج|احتاج|أبغى|ابغى|أبي|عايز|عاوز|بدي|بحاجة|يلزم|محتاج|تتصلوا|تتصل|تحويل|حاجة)|كم (عدد|موظف|شخص)|هل (أنت|انت|انتم|أنتم) |(أنت|انت) (إنسان|انسان|بشر|روبوت|شخص|موظف)|(أصبح|اصبح|كيف أصبح|أكون|وظيفة|وظائف|توظيف|طبيبي|محاميي|مديري|حقوق|الموارد|موارد|جسم|عقاري|تأمين|سفر)|رقم (هاتف|خدمة|الهاتف|تلفون)|ساعات|أوقات|اوقات|دوام|عنوان',
    ],
  },
  hi: {
    slots: {
      human:
        '(इंसान|इन्सान|इनसान|मनुष्य|मानव|आदमी|(असली|वास्तविक|जीवित|सच्चे|रियल|real|asli) (इंसान|इन्सान|व्यक्ति|आदमी|लोग|एजेंट|insaan|insan|vyakti|person|aadmi)|insaan|insan|human|(human|live) (agent|एजेंट))',
      staff:
        '({human}|व्यक्ति|किसी|कोई|एजेंट|एजेन्ट|कर्मचारी|कर्मचारियों|अधिकारी|प्रतिनिधि|ऑपरेटर|ग्राहक सेवा|ग्राहक सहायता|कस्टमर केयर|कस्टमर सर्विस|सहायता टीम|सपोर्ट|सपोर्ट टीम|स्टाफ|स्टाफ़|मैनेजर|प्रबंधक|सलाहकार|लाइब्रेरियन|पुस्तकालयाध्यक्ष|बंदे|agent|executive|staff|person|manager|customer care|operator|kisi|koi|support|vyakti|representative)',
      beside: 'कृपया|प्लीज|प्लीज़|मुझे|चाहिए|से|बात|करनी|करना|है|एक|अभी|नमस्ते|please|mujhe|chahiye|se|baat|karni|hai',
    },
    asks: [
      '{staff} ((असली|वास्तविक|और|सदस्य|के|टीम|सर्विस|वाले|insaan|human|real|इंसान|व्यक्ति|कर्मचारी|अधिकारी|से|ke|wale|ही|सीधे|मेरी|meri|direct) ){0,4}(से|के साथ|se|ke saath|को|ko) (मेरी |मेरा |सीधे |अभी |direct |meri |जल्दी |ही ){0,4}(बात|संपर्क|सम्पर्क|बातचीत|चैट|कनेक्ट|जोड़|जोड़ें|जोड़िए|मिलवा|मिलना|connect|baat|chat|contact|बोलना|जुड़ना|talk|कॉल ट्रांसफर|ट्रांसफर|transfer)',
      '(मुझे|हमें|mujhe|बस|कृपया) .. ({human}|एजेंट|agent|ऑपरेटर|operator|प्रतिनिधि|executive) .. (चाहिए|दीजिए|दो|दें|chahiye|do|की ज़रूरत|की जरूरत|की मदद)|({human}) (चाहिए|दो|दीजिए|chahiye|को बुलाओ|को बुलाइए|से मदद)|(बुलाओ|बुलाइए|बुलाएं) .. {staff}|{staff} .. को (बुलाओ|बुलाइए|बुलाएं|बुला)',
      '(क्या|kya) (यहाँ |यहां |वहाँ |वहां |आपके पास |yahan ){0,4}(कोई|किसी|koi|kisi) .. (बात|मदद|उपलब्ध|है जिससे|जिससे|जो मेरी|baat|help|मौजूद)|(किससे|किस से|kisse) (बात|baat)|(कोई|koi) (असली |real |asli )?{human} .. (है|hai|मदद)',
      '(मुझे|mujhe) (.. )?(कॉल|फोन|फ़ोन|call|phone) (बैक |back |कर|करें|करो|करे|करवा|kar|karo|kare|चाहिए)|(कॉल|call) ?(बैक|back)|(वापस|wapas) (कॉल|फोन|फ़ोन|call)|(संदेश|मैसेज|message) (छोड़|छोड़ना|छोड़ सकता|chhod|chod)',
      '(बॉट|रोबोट|मशीन|bot|robot|machine|चैटबॉट) .. (नहीं|nahi|nahin) .. {staff}|{staff} .. (बॉट|रोबोट|मशीन|bot|robot|machine) .. (नहीं|nahi|nahin)',
      '«{human}|एजेंट|agent|ऑपरेटर|operator|कस्टमर केयर|ग्राहक सेवा प्रतिनिधि|customer care»',
    ],
    not: [
      '(नहीं|nahi|nahin|मत|mat|बिना) (करनी|करना|चाहिए|चाहता|चाहती|karni|chahiye|kijiye|करो|करें|बात)|(कितने|कितनी|kitne)|(क्या|kya) (आप|तुम|तू|aap|tum|मैं|main) .. (इंसान|इन्सान|रोबोट|बॉट|मशीन|insaan|human|bot|robot)|(बनना|बनने|कैसे बने|नौकरी|भर्ती|बनूं|banna|job|मेरे डॉक्टर|मेरे वकील|मानव अधिकार|मानवाधिकार|मानव संसाधन|अधिकार|समय|नंबर|number|पता|timing|ईमेल)',
    ],
  },
  zh: {
    slots: {
      human: '(人工|真人|活人|人類|人类|真正的人)',
      staff:
        '({human}|客服|工作人员|工作人員|服务人员|服務人員|人员|人員|职员|職員|员工|員工|专员|專員|顾问|顧問|管理员|管理員|馆员|館員|经理|經理|主管|负责人|負責人|坐席|接线员|接線員|話務員|话务员|办事员|辦事員|有人|某人|别人|別人)',
      beside: '请|請|我要|我想|找|要|转|轉|接|麻烦|麻煩|帮我|幫我|谢谢|謝謝|在线|線上|你好|快|给我|給我|吗|嗎|呢',
    },
    asks: [
      '(转|轉|转接|轉接|接|接通|转到|轉到|转给|轉給|换|換|叫|联系|聯繫|联络|聯絡|呼叫|接入|连接|連接|找|要|需要|给我|給我|来|來|安排)(到|至|给|給|一下|个|個|一个|一個|一位|位|你们的|你們的|你们|你們|其他|的|在线|線上|图书馆|圖書館){0,4}{human}',
      '(和|跟|与|與|同|向|找)(你们|你們|你们的|你們的|一个|一個|一位|个|個|位|在线|線上|其他|真正的|真的|任何|图书馆|圖書館|的|贵|貴|公司){0,4}{staff}(员|員)?(来|來|直接|在线|線上)?(说|說|讲|講|聊|谈|談|沟通|溝通|对话|對話|交流|通话|通話|咨询|諮詢|联系|聯繫|联络|聯絡|通电话)',
      '(有|有没有|有沒有|是否有|能不能找|能找|可以找)(一个|一個|个|個|位)?(人|真人|活人|工作人员|工作人員|客服|人工|人员|人員).{0,6}(帮|幫|回答|回覆|聊|谈|談|说话|說話|解答|吗|嗎|在|联系|聯絡|對話|对话|处理|處理)|(谁|誰)(能|可以).{0,4}(和我|跟我|同我)(说|說|谈|談|聊)',
      '(转|轉|转接|轉接|接|接通|叫|呼叫|帮我找|幫我找|我要找|我要|我想找|请找|請找|联系|聯繫|聯絡)(到|给|給|一下|个|個|一个|一個|一位|你们的|你們的|在线|線上|你们|你們){0,4}(客服|工作人员|工作人員|服务人员|服務人員|馆员|館員|专员|專員|经理|經理|主管|接线员|接線員|负责人|負責人)(?!.{0,4}(电话|電話|号码|號碼|时间|時間|地址|邮箱|郵箱|热线|熱線))',
      '(给我|給我)?(回电|回電|回个电话|回個電話|回拨|回撥)|(打|来|來|拨)(个|個)?(电话|電話)(给|給)我|(让|讓|叫|请|請)(人|工作人员|工作人員|客服|专人|專人).{0,6}(联系|聯繫|联络|聯絡|打电话|打電話|回复|回覆|来|來|帮|幫)|(给|給)?(工作人员|工作人員|客服|你们|你們|馆员|館員).{0,4}留(言|个言|個言|个话|訊息|信息)|(不要|不想|别|別|不是)(再)?(跟|和|给我|給我)?(机器人|機器人|机器|機器|AI).{0,6}{staff}',
      '«{human}|人工客服|真人客服|在线客服|人工服务|人工服務|客服|找客服|转客服»',
    ],
    not: [
      '(不想|不要|不用|不需要|无需|無需|不必|别|別)(再)?(转|轉|转接|轉接|找|接|和|跟|要|联系|聯繫)?.{0,4}(人工|真人|客服|工作人员|工作人員|打电话|打電話|給我打|给我打|回电|回電)|多少|几个|幾個|你是(不是)?.{0,3}(人工|真人|人|机器|機器)|我(是|正在)(不是)?(在)?(和|跟).{0,4}(真人|人|机器)|(人工智能|人工智慧|人工授精|人工流产|人工湖|人工费|人工費|应聘|招聘|應聘|招募|成为|成為|当|當)|(电话|電話|号码|號碼|时间|時間|地址|邮箱|郵箱|热线|熱線)(是|号|號|多少|什么|什麼|几点|幾點|在哪)|(客服|工作人员|工作人員)的?(电话|電話|时间|時間|号码|號碼|工资|薪|地址|邮箱)',
    ],
  },
  ja: {
    slots: {
      human: '(人間|生身の人|ヒト|本物の人|実際の人|有人|オペレーター|オペレータ)',
      staff:
        '({human}|担当者|担当の方|担当|係の人|係の方|係員|職員|スタッフ|店員|責任者|上司|司書|相談員|社員|人|方|誰か|どなたか|カスタマーサポート|サポート|窓口の人|窓口の方|窓口|受付|受付の方)',
      beside: 'お願いします|お願い|ください|下さい|を|に|と|へ|出して|早く|すぐ|代わって|つないで|希望|で|です|したい',
    },
    asks: [
      '{staff}(の方|のかた|さん|の人)?(と|に|へ|とは)(直接|ちょっと|少し|今すぐ|すぐ|もう一度|一度)?(話|はな|お話|しゃべ|喋|チャット|会話|相談|つな|繋|代わ|替わ|かわ|変わ|変更|連絡|電話|通話|問い合わせ|質問し|聞きたい|転送|取り次|取次|切り替え|対応)(?!時間|先)',
      '({human}|担当者|担当の方|スタッフ|職員|係の人|係の方|責任者|店員|司書)(の方|さん)?を?(呼ん|よん|出し|だし|お願い|希望|頼|ください|下さい|呼び)|({human}|担当者|スタッフ|職員|司書)(の方)?(が|に|で)(対応|答え|回答|返信|返事)(して|し|を|が)|({human}|有人|人)(による|での|の)(対応|サポート|チャット|窓口|応対|相談)(を|が|に|希望|お願い|は(あり|でき|可能)|して|へ)?',
      '(誰か|だれか|どなたか|人|スタッフ|職員|担当者|オペレーター)(に|と|が|は)?.{0,4}(話せ|相談でき|聞いて|いませんか|いますか|いない|いらっしゃいますか|おられますか|対応して|助けて|答えて|対応でき)|(話|相談)(せる|できる|を聞いてくれる)(人|方|スタッフ|職員)',
      '(折り返し|折返し|かけ直し)(の)?(電話|連絡|お電話|ご連絡)?(を|が|して|お願い|ください|希望|もら|いただ|くれ)|(電話|連絡)を?(して|かけて|もら|いただ|くだ|くれ)(ほしい|欲しい|ください|いたい|え|け|もらえ|れません)|(伝言|メッセージ)を?(残|預か|お願い|頼)',
      '(ボット|ロボット|機械|ai|チャットボット|自動応答|自動)(じゃ|では|で|と|は|の)?(なく|ない|なくて|いや|嫌|結構|話したくない|もういい|ダメ|だめ).{0,8}{staff}|{staff}.{0,4}(ボット|ロボット|機械|ai)(じゃ|では)な',
      '«{human}|人間|担当者|有人チャット|有人対応|オペレーター|オペレータ|スタッフ|コールバック»',
    ],
    not: [
      '(話したくない|話したくありません|つながなくて|呼ばなくて|電話は(しない|不要|いらない|結構)|連絡は不要|必要(は)?(ない|ありません)|要りません|いりません|なりたい|になるには|求人|募集|採用|応募)|何人|(あなた|君|きみ|これ|そちら|今話している)(は|って|の)(相手は)?(本当に)?(人間|ロボット|ボット|ai|人|オペレーター|機械)|(電話番号|住所|営業時間|受付時間|開館時間|対応時間|メールアドレス|時間は|場所は)|(医師|医者|先生|弁護士|主治医)(と|に)|人間関係|人間ドック|人間性|人権|担当者(の名前|名|は誰)',
    ],
  },
  ko: {
    slots: {
      human: '(사람|사람이랑|사람과|사람하고|사람한테|사람을|사람이|사람으로|인간|진짜 사람*|실제 사람*|상담원*|상담사*|상담 ?직원*)',
      staff:
        '({human}|담당자*|직원*|담당 직원*|매니저*|책임자*|관리자*|고객센터*|고객 ?지원*|사서*|누군가*|누구*|공무원*|담당 공무원*|팀장*|운영자*|실무자*)',
      beside:
        '부탁드려요|부탁드립니다|부탁해요|부탁|좀|주세요|줘|연결|연결해|바꿔|바꿔주세요|지금|빨리|안녕하세요|제발|원해요|필요해요|요|연결해줘',
    },
    asks: [
      '{staff} ?(랑|이랑|과|와|하고|한테|에게|께|로|으로)? ?((직접|좀|지금|바로|전화로|채팅으로|한번|실시간) ){0,4}(통화|이야기|얘기|대화|상담|연결|말|채팅|문의|연락|전화|바꿔|상담하고|얘기하고|말하고|대화하고)(?!번호)',
      '({human}|담당자*|직원*|매니저*|책임자*) ?((좀|지금|빨리|제발|당장) ){0,4}(바꿔*|불러*|연결*|부탁*|나와*|주세요|필요*|원해*|원합니다|구해*|보내*)',
      '(누가|누구|누군가|사람|직원|담당자|상담원|상담사) ?(이|가)? ?.. (도와주*|도와줄*|있나요|있어요|계신가요|계세요|없나요|없어요|안 ?계*|받아*|답변해*|상담 ?가능*|통화 ?가능*)|(이야기|얘기|대화|통화|상담)할 (수 있는 )?(사람|분|직원|담당자|상담원){0,4}',
      '(전화|연락|콜백|회신) ?((좀|다시|꼭|빨리) ){0,4}(주세요|주실*|줘*|해 ?주세요|해 ?주실*|해 ?줘*|부탁*|받고 싶*|요청*|주시면*|바랍니다)|콜백|다시 전화*|(메시지|메모|쪽지)(를|을)? (남기*|남겨*|전달*) ?',
      '(봇|로봇|기계|챗봇|ai|인공지능) ?(말고|말구|아니고|아닌|대신) .. {staff}|{staff} .. (봇|로봇|기계|챗봇|ai) ?(말고|아니고|아닌|대신)',
      '«{human}|상담원 연결|상담사 연결|상담원|상담사|담당자|직원|사람 연결|상담원 연결 부탁»',
    ],
    not: [
      '(말하고|이야기하고|얘기하고|대화하고|통화하고|연결하고|연락받고|전화 ?받고|받고) 싶지 (않*)|(전화|연락|연결|상담원|상담사|직원)(은|는|을|를)? ?(하지|주지|필요 ?없*|말아*|안 해*|안 ?해도*|하지 ?마*|필요하지 않*)|몇 (명|사람)|(너|넌|당신|당신은|혹시|지금|여기) .. (사람이야|사람인가요|사람이에요|사람입니까|로봇*|봇이*|상담원인가요|사람 ?맞*|사람이니)|(되려면|되고 싶*|되는 법|채용*|모집*|취업*|구인*|자격*|전화번호*|번호가|번호 ?알*|주소*|이메일*|운영 ?시간*|영업 ?시간*|근무 ?시간*|몇 시*|인권*|내 담당*|우리 담당*|의사*|변호사*|사람들이|사람 수*)',
    ],
  },
}
