import type { LanguagePhrases } from '../language-phrases.ts'

export const PT: LanguagePhrases = {
  slots: {
    person:
      '(?:(?:meu|minha|nosso|nossa|seu|sua|o|a|um|uma|o meu|a minha|esse|essa|este|esta) (?:[a-z]+ )?(?:marido|esposo|esposa|mulher|mae|pai|filho|filha|bebe|menino|menina|crianca|irmao|irma|amigo|amiga|namorado|namorada|avo|vizinho|vizinha|colega|parceiro|parceira|companheiro|companheira|ex|homem|pessoa|senhor|senhora|rapaz|moca|cara|tio|tia|mama|chefe|primo)|alguem|ele|ela)',
    adv: '(?:[a-z]+ ){0,3}?',
  },
  phrases: {
    self_harm: [
      '(?:quero|queria|desejo|preferia|prefiro|gostaria de|vontade de|quer|gostava de) (?:[a-z]+ )?(?:morrer|estar mort[oa]|desaparecer para sempre|sumir para sempre)(?! de (?:rir|fome))|nao (?:quero|aguento|consigo|quer|tenho) (?:[a-z]+ ){0,2}?(?:viver|vontade de viver|acordar|existir|continuar viv[oa]|continuar a viver|estar viv[oa])(?! aqui| em| com| sem)|sem vontade de viver',
      '(?:me matar|(?:quero|vou|penso em|pensar em|pensando em|queria) matar me|me suicidar|suicidar me|se matar|matar se|se suicidar|suicidar se|me enforcar|enforcar me|tirar a (?:minha )?(?:propria )?vida|cortar os pulsos|me cortar|me machucar|me magoar|acabar comigo|matarme)(?! de| o| no cabelo| com)|(?:vou|quero) (?:me )?(?:suicidar|matar)(?:me)?(?! o| a| um| uma| aula| tempo| saudade)|me mato(?! de| para)|estou me cortando|(?:cortei|corto) (?:me|os pulsos)',
      '(?:pensamentos|ideias|tendencias|ideacao) suicidas?|(?:estou|sou|me sinto|sinto me|esta) (?:[a-z]+ )?suicida|(?:penso|pensando|pensar|pensei|pensa) (?:[a-z]+ )?(?:em|no) (?:suicidio|me matar|morrer|suicidar me|matar me)|carta de (?:despedida|suicidio)',
      '(?:acabar|terminar|por fim|dar fim) (?:com|a|na|o) (?:a )?minha vida|acabar com tudo|(?:melhor|melhores) sem mim|(?:nenhuma|nao ha|nao tenho|sem) (?:razao|razoes|motivo|motivos) para viver|a vida nao vale|(?:pular|saltar|me jogar|atirar me|me atirar) (?:da|do|de|de um|de uma) (?:ponte|predio|telhado|janela|varanda|viaduto|comboio|trem)',
      'quant[ao]s? [a-z ]{2,40}?(?:para morrer|para me matar|para se matar|letal|letais|mortal|mortais|para uma overdose|pra morrer|pra me matar)|no de forca|fazer uma forca|dose (?:letal|mortal)|(?:como|maneira de|forma de|jeito de|modo de) (?:[a-z]+ )?(?:morrer sem|morrer rapido|me matar|me suicidar|matar me|suicidar me|me enforcar|se matar|cometer suicidio)',
    ],
    poisoning: [
      '(?:tive|teve|tendo|tomei|tomou|fez|fiz|sofreu|de) (?:uma )?(?:overdose|sobredosagem)(?! (?:houve|foram|em 20))|(?:fui|foi|esta|estou|ficou|se|sido) (?:envenenad[oa]|intoxicad[oa]|me envenenei|envenenou se)',
      '(?:tomei|tomou|engoli|engoliu|ingeri|ingeriu|tomado|acabei de tomar) {adv}(?:demais|demasiad[oa]s|tod[oa]s|muit[oa]s|uma caixa|um frasco|uma cartela|varios|[0-9]{2,}|trinta|vinte) ?(?:[a-z]+ ){0,3}?(?:comprimidos|remedios|medicamentos|pilulas|calmantes|capsulas|paracetamol|soniferos|drogas)|(?:tomei|tomou) (?:comprimidos|remedios|medicamentos|remedio) (?:demais|a mais)',
      '(?:bebi|bebeu|tomei|tomou|engoli|engoliu|comeu|comi|ingeriu|inalou|inalei) (?:[a-z]+ ){0,3}?(?:lixivia|agua sanitaria|veneno|raticida|veneno de rato|anticongelante|detergente|pilha|bateria|desentupidor|acido|soda caustica|gasolina|cloro|produto de limpeza|cogumelos venenosos|desinfetante|solvente|amaciante|insecticida|inseticida)',
    ],
    acute_illness: [
      'nao (?:esta |estao |estou )?(?:respira|respirando|a respirar)|nao (?:consigo|consegue) (?:[a-z]+ )?respirar|(?:sem|nao tem|nao sinto o) pulso|parou de respirar|(?:estou|esta) (?:me |se )?(?:sufocando|a sufocar|engasgad[oa]|engasgando|asfixiando|a asfixiar)|falta de ar|(?:me|se) engasg(?:uei|ou)',
      '(?:tendo|ter|tem|acabou de ter|sofrendo|e|dando|teve) (?:[a-z]+ )?(?:um |uma )?(?:enfarte|infarto|ataque cardiaco|avc|derrame|paragem cardiaca|parada cardiaca|convulsao|convulsoes|ataque epiletico|crise epileptica|ataque de asma|crise de asma|reacao alergica|choque anafilatico)|(?:dor|dores|aperto) (?:[a-z]+ )?no peito|(?:chamem|preciso de|mandem|chame|enviem|precisamos de|chamar) (?:[a-z]+ )?uma ambulancia',
      '(?:esta|estou|ficou|foi|fui) (?:[a-z]+ )?(?:inconsciente|desmaiad[oa]|desacordad[oa]|convulsionando|sangrando|a sangrar|morrendo|a morrer|se afogando|a afogar se|eletrocutad[oa]|atropelad[oa]|sem sentidos)(?! de| pel[oa] gengiva)|(?:desmaiou|desmaiei)|nao (?:acorda|reage)(?! ao| o| a| no)|{person} nao (?:responde|se mexe)|perdeu (?:os sentidos|a consciencia)|caiu do (?:telhado|predio)|caiu (?:da|pela) (?:escada|janela|varanda)|(?:sangra|sangrando|sangrar) (?:muito|bastante|sem parar|imenso)|bolsa (?:estourou|rompeu|rebentou)|rebentaram as aguas|vou morrer(?! de)|nao para de sangrar',
    ],
    fire: [
      '(?:casa|apartamento|cozinha|predio|edificio|carro|garagem|telhado|quarto|escritorio|escola|hotel|cama|forno|loja|sala)s? (?:[a-z]+ ){0,2}?(?:em chamas|pegando fogo|a arder|em fogo|pegou fogo|queimando|incendio|ardendo|cheia de fumo|cheia de fumaca)|(?:ha|tem|esta a haver|comecou) (?:[a-z]+ )?(?:um )?(?:fogo|incendio|vazamento de gas|fuga de gas)(?! de artificio)|(?:incendio|fogo) (?:em|na|no) (?:minha|meu|nossa|nosso|casa|cozinha|predio|apartamento|o predio)|(?:cheiro|cheira|cheirando) (?:[a-z]+ )?(?:a|de) gas|(?:vazamento|fuga) de gas',
    ],
    violence: [
      '{person} (?:[a-z]+ )?(?:me|nos|esta me|esta a) (?:[a-z]+ )?(?:bate|bateu|batendo|bater me|bater|agride|agredindo|agrediu|agredir me|ameaca|ameacou|ameacando|ameacar me|estrangula|estrangulando|estrangular|segue|seguindo|seguir me|persegue|perseguindo|estuprou|violou|esfaqueou|atacou|atacando|atacar|matar|espanca|espancando)(?! o ponto)|bate me|(?:quer|vai|querem|ameacou|tentou|ameaca|esta a tentar) (?:me |nos )?(?:matar me|matar|violar me|violar|estuprar)(?! o| a| um| uma| tempo| saudades?| aula)|(?:esta|estao) (?:me )?(?:batendo|espancando|estrangulando|esfaqueando|atirando|agredindo)',
      '(?:fui|fomos|foi|estou sendo|estou a ser|sendo|me) (?:[a-z]+ )?(?:estuprad[oa]|violad[oa]|assaltad[oa]|atacad[oa]|esfaquead[oa]|sequestrad[oa]|raptad[oa]|espancad[oa]|agredid[oa]|ameacad[oa]|seguid[oa]|perseguid[oa]|balead[oa]|estupraram|violaram|esfaquearam|estupraram)|(?:alguem|ladrao|ladroes|intruso|homem|estranho|desconhecido) (?:[a-z]+ ){0,4}?(?:entrar|entrou|entrando|invadindo|invadiu|arrombando|arrombar|dentro|na|em) (?:em |na |da |a |minha |de |pela )*(?:casa|porta|minha|meu|apartamento|quarto)|(?:tem|com|esta com) (?:uma faca|uma arma|uma pistola|um revolver)',
    ],
  },
}
